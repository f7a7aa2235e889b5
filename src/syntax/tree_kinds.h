/* The kinds of nodes: the one list that the tree's enum, its names and its sizes are made of. */
#ifndef TREE_KINDS_H
#define TREE_KINDS_H

/* kind, struct, the same name in TypeScript's tree */
/* clang-format off */
#define NODE_KINDS(X) \
    /* names and literals */ \
    X(IDENTIFIER, Identifier, "Identifier") \
    X(PRIVATE_IDENTIFIER, Identifier, "PrivateIdentifier") \
    X(QUALIFIED_NAME, QualifiedName, "QualifiedName") \
    X(COMPUTED_PROPERTY_NAME, Unary, "ComputedPropertyName") \
    X(NUMERIC_LITERAL, Literal, "NumericLiteral") \
    X(BIGINT_LITERAL, Literal, "BigIntLiteral") \
    X(STRING_LITERAL, Literal, "StringLiteral") \
    X(REGULAR_EXPRESSION_LITERAL, Literal, "RegularExpressionLiteral") \
    X(NO_SUBSTITUTION_TEMPLATE, Literal, "NoSubstitutionTemplateLiteral") \
    X(TEMPLATE_HEAD, Literal, "TemplateHead") \
    X(TEMPLATE_MIDDLE, Literal, "TemplateMiddle") \
    X(TEMPLATE_TAIL, Literal, "TemplateTail") \
    /* signatures and members */ \
    X(TYPE_PARAMETER, TypeParameter, "TypeParameter") \
    X(PARAMETER, Parameter, "Parameter") \
    X(DECORATOR, Unary, "Decorator") \
    X(MODIFIER, Modifier, "Modifier") \
    X(PROPERTY_SIGNATURE, Property, "PropertySignature") \
    X(PROPERTY_DECLARATION, Property, "PropertyDeclaration") \
    X(METHOD_SIGNATURE, FunctionLike, "MethodSignature") \
    X(METHOD_DECLARATION, FunctionLike, "MethodDeclaration") \
    X(CLASS_STATIC_BLOCK, FunctionLike, "ClassStaticBlockDeclaration") \
    X(CONSTRUCTOR, FunctionLike, "Constructor") \
    X(GET_ACCESSOR, FunctionLike, "GetAccessor") \
    X(SET_ACCESSOR, FunctionLike, "SetAccessor") \
    X(CALL_SIGNATURE, FunctionLike, "CallSignature") \
    X(CONSTRUCT_SIGNATURE, FunctionLike, "ConstructSignature") \
    X(INDEX_SIGNATURE, FunctionLike, "IndexSignature") \
    X(SEMICOLON_CLASS_ELEMENT, Node, "SemicolonClassElement") \
    /* types */ \
    X(KEYWORD_TYPE, KeywordType, "KeywordType") \
    X(TYPE_PREDICATE, TypePredicate, "TypePredicate") \
    X(TYPE_REFERENCE, TypeReference, "TypeReference") \
    X(FUNCTION_TYPE, FunctionLike, "FunctionType") \
    X(CONSTRUCTOR_TYPE, FunctionLike, "ConstructorType") \
    X(TYPE_QUERY, TypeReference, "TypeQuery") \
    X(TYPE_LITERAL, ListNode, "TypeLiteral") \
    X(ARRAY_TYPE, Unary, "ArrayType") \
    X(TUPLE_TYPE, ListNode, "TupleType") \
    X(NAMED_TUPLE_MEMBER, NamedTupleMember, "NamedTupleMember") \
    X(OPTIONAL_TYPE, Unary, "OptionalType") \
    X(REST_TYPE, Unary, "RestType") \
    X(UNION_TYPE, ListNode, "UnionType") \
    X(INTERSECTION_TYPE, ListNode, "IntersectionType") \
    X(CONDITIONAL_TYPE, ConditionalType, "ConditionalType") \
    X(INFER_TYPE, Unary, "InferType") \
    X(PARENTHESIZED_TYPE, Unary, "ParenthesizedType") \
    X(THIS_TYPE, Node, "ThisType") \
    X(TYPE_OPERATOR, TypeOperator, "TypeOperator") \
    X(INDEXED_ACCESS_TYPE, IndexedAccessType, "IndexedAccessType") \
    X(MAPPED_TYPE, MappedType, "MappedType") \
    X(LITERAL_TYPE, Unary, "LiteralType") \
    X(TEMPLATE_LITERAL_TYPE, Template, "TemplateLiteralType") \
    X(TEMPLATE_LITERAL_TYPE_SPAN, TemplateSpan, "TemplateLiteralTypeSpan") \
    X(IMPORT_TYPE, ImportType, "ImportType") \
    X(COMMENT_TYPE, Unary, "JSDocType") /* `?T`, `T!`, `*`: only comments may say so */ \
    /* binding patterns */ \
    X(OBJECT_BINDING_PATTERN, ListNode, "ObjectBindingPattern") \
    X(ARRAY_BINDING_PATTERN, ListNode, "ArrayBindingPattern") \
    X(BINDING_ELEMENT, BindingElement, "BindingElement") \
    /* expressions */ \
    X(ARRAY_LITERAL, ListNode, "ArrayLiteralExpression") \
    X(OBJECT_LITERAL, ListNode, "ObjectLiteralExpression") \
    X(PROPERTY_ACCESS, PropertyAccess, "PropertyAccessExpression") \
    X(ELEMENT_ACCESS, ElementAccess, "ElementAccessExpression") \
    X(CALL_EXPRESSION, CallExpression, "CallExpression") \
    X(NEW_EXPRESSION, CallExpression, "NewExpression") \
    X(TAGGED_TEMPLATE, TaggedTemplate, "TaggedTemplateExpression") \
    X(TYPE_ASSERTION, Assertion, "TypeAssertionExpression") \
    X(PARENTHESIZED_EXPRESSION, Unary, "ParenthesizedExpression") \
    X(FUNCTION_EXPRESSION, FunctionLike, "FunctionExpression") \
    X(ARROW_FUNCTION, FunctionLike, "ArrowFunction") \
    X(DELETE_EXPRESSION, Unary, "DeleteExpression") \
    X(TYPEOF_EXPRESSION, Unary, "TypeOfExpression") \
    X(VOID_EXPRESSION, Unary, "VoidExpression") \
    X(AWAIT_EXPRESSION, Unary, "AwaitExpression") \
    X(PREFIX_UNARY, OperatorUnary, "PrefixUnaryExpression") \
    X(POSTFIX_UNARY, OperatorUnary, "PostfixUnaryExpression") \
    X(BINARY_EXPRESSION, Binary, "BinaryExpression") \
    X(CONDITIONAL_EXPRESSION, Conditional, "ConditionalExpression") \
    X(TEMPLATE_EXPRESSION, Template, "TemplateExpression") \
    X(TEMPLATE_SPAN, TemplateSpan, "TemplateSpan") \
    X(YIELD_EXPRESSION, Unary, "YieldExpression") \
    X(SPREAD_ELEMENT, Unary, "SpreadElement") \
    X(CLASS_EXPRESSION, ClassLike, "ClassExpression") \
    X(OMITTED_EXPRESSION, Node, "OmittedExpression") \
    X(EXPRESSION_WITH_TYPE_ARGUMENTS, TypeReference, "ExpressionWithTypeArguments") \
    X(AS_EXPRESSION, Assertion, "AsExpression") \
    X(SATISFIES_EXPRESSION, Assertion, "SatisfiesExpression") \
    X(NON_NULL_EXPRESSION, Unary, "NonNullExpression") \
    X(META_PROPERTY, MetaProperty, "MetaProperty") \
    X(THIS, Node, "ThisKeyword") \
    X(SUPER, Node, "SuperKeyword") \
    X(NULL, Node, "NullKeyword") \
    X(TRUE, Node, "TrueKeyword") \
    X(FALSE, Node, "FalseKeyword") \
    X(IMPORT_KEYWORD, Node, "ImportKeyword") /* what `import(...)` calls */ \
    /* statements */ \
    X(BLOCK, ListNode, "Block") \
    X(EMPTY_STATEMENT, Node, "EmptyStatement") \
    X(VARIABLE_STATEMENT, VariableStatement, "VariableStatement") \
    X(EXPRESSION_STATEMENT, Unary, "ExpressionStatement") \
    X(IF_STATEMENT, Conditional, "IfStatement") \
    X(DO_STATEMENT, Loop, "DoStatement") \
    X(WHILE_STATEMENT, Loop, "WhileStatement") \
    X(FOR_STATEMENT, ForStatement, "ForStatement") \
    X(FOR_IN_STATEMENT, ForEach, "ForInStatement") \
    X(FOR_OF_STATEMENT, ForEach, "ForOfStatement") \
    X(CONTINUE_STATEMENT, Unary, "ContinueStatement") \
    X(BREAK_STATEMENT, Unary, "BreakStatement") \
    X(RETURN_STATEMENT, Unary, "ReturnStatement") \
    X(WITH_STATEMENT, Loop, "WithStatement") \
    X(SWITCH_STATEMENT, SwitchStatement, "SwitchStatement") \
    X(LABELED_STATEMENT, LabeledStatement, "LabeledStatement") \
    X(THROW_STATEMENT, Unary, "ThrowStatement") \
    X(TRY_STATEMENT, TryStatement, "TryStatement") \
    X(DEBUGGER_STATEMENT, Node, "DebuggerStatement") \
    X(VARIABLE_DECLARATION, VariableDeclaration, "VariableDeclaration") \
    X(VARIABLE_DECLARATION_LIST, VariableDeclarationList, "VariableDeclarationList") \
    X(CASE_BLOCK, ListNode, "CaseBlock") \
    X(CASE_CLAUSE, CaseClause, "CaseClause") \
    X(DEFAULT_CLAUSE, CaseClause, "DefaultClause") \
    X(CATCH_CLAUSE, CatchClause, "CatchClause") \
    /* declarations */ \
    X(FUNCTION_DECLARATION, FunctionLike, "FunctionDeclaration") \
    X(CLASS_DECLARATION, ClassLike, "ClassDeclaration") \
    X(INTERFACE_DECLARATION, ClassLike, "InterfaceDeclaration") \
    X(HERITAGE_CLAUSE, HeritageClause, "HeritageClause") \
    X(TYPE_ALIAS_DECLARATION, TypeAlias, "TypeAliasDeclaration") \
    X(ENUM_DECLARATION, EnumDeclaration, "EnumDeclaration") \
    X(ENUM_MEMBER, EnumMember, "EnumMember") \
    X(MODULE_DECLARATION, ModuleDeclaration, "ModuleDeclaration") \
    X(MODULE_BLOCK, ListNode, "ModuleBlock") \
    X(MISSING_DECLARATION, MissingDeclaration, "MissingDeclaration") \
    /* imports and exports */ \
    X(NAMESPACE_EXPORT_DECLARATION, ExportAssignment, "NamespaceExportDeclaration") \
    X(IMPORT_EQUALS_DECLARATION, ImportEquals, "ImportEqualsDeclaration") \
    X(EXTERNAL_MODULE_REFERENCE, Unary, "ExternalModuleReference") \
    X(IMPORT_DECLARATION, ImportDeclaration, "ImportDeclaration") \
    X(IMPORT_CLAUSE, ImportClause, "ImportClause") \
    X(NAMESPACE_IMPORT, Unary, "NamespaceImport") \
    X(NAMED_IMPORTS, ListNode, "NamedImports") \
    X(IMPORT_SPECIFIER, Specifier, "ImportSpecifier") \
    X(EXPORT_ASSIGNMENT, ExportAssignment, "ExportAssignment") \
    X(EXPORT_DECLARATION, ExportDeclaration, "ExportDeclaration") \
    X(NAMED_EXPORTS, ListNode, "NamedExports") \
    X(NAMESPACE_EXPORT, Unary, "NamespaceExport") \
    X(EXPORT_SPECIFIER, Specifier, "ExportSpecifier") \
    X(IMPORT_ATTRIBUTES, ImportAttributes, "ImportAttributes") \
    X(IMPORT_ATTRIBUTE, ImportAttribute, "ImportAttribute") \
    /* members of object literals */ \
    X(PROPERTY_ASSIGNMENT, PropertyAssignment, "PropertyAssignment") \
    X(SHORTHAND_PROPERTY_ASSIGNMENT, PropertyAssignment, "ShorthandPropertyAssignment") \
    X(SPREAD_ASSIGNMENT, Unary, "SpreadAssignment") \
    X(SOURCE_FILE, SourceFile, "SourceFile")
/* clang-format on */

#endif
