/*
 * The oracle: what the TypeScript compiler says of a text.
 *
 *   node oracle.mjs MODULES      MODULES: the node_modules folder that ./fetch prints
 *
 * One JSON request a line, one JSON answer a line, in order; the process lives until its input ends.
 *
 *   {"op": "judge", "text": T, "declaration": false}   {"diagnostics": [[code, start, length], ...],
 *                                                       "shape": hash of what is emitted, or null}
 *   {"op": "shape", "text": T}      of JavaScript      {"shape": hash}, or {"broken": [code, start]}
 *   {"op": "emit", "text": T}                          {"text": the JavaScript that is emitted}
 *   {"op": "tokens", "text": T}                        {"tokens": [[kind, text, line, column], ...]}
 *                                                      of what is emitted
 *   {"op": "explain", "text": T, "ours": JavaScript}   {"at": n, "theirs": [...], "ours": [...]},
 *                                                      or {"reason": one of differences.json}
 *
 * Places are bytes of UTF-8. A shape is the syntax tree of JavaScript as a list of node kinds and
 * token texts (of names, numbers and
 * strings: what they mean), without what a printer may choose: parentheses around an expression, semicolons,
 * and the empty export that only says that a file is a module. Two programs of one shape are
 * the same program; comparing shapes sees a semicolon that changes meaning, comparing tokens of
 * a printer's output would see all the others too.
 */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const MOST_DIAGNOSTICS = 20;

export function loadOracle(modules) {
    const ts = createRequire(resolve(modules, 'x'))('typescript');
    return { ts, judge, shape: (text) => shapeAnswer(ts, text), emit: (text) => emit(ts, text),
             tokens: (text) => tokensOf(ts, emit(ts, text)), explain: (a, b) => explain(ts, a, b) };

    function judge(text, declaration) {
        const file = ts.createSourceFile(declaration ? 'case.d.ts' : 'case.ts', text,
                                         ts.ScriptTarget.ESNext, false);
        const found = file.parseDiagnostics;
        const diagnostics = found.slice(0, MOST_DIAGNOSTICS).map((one) => {
            const start = bytes(text, 0, one.start);
            return [one.code, start, bytes(text, one.start, one.start + one.length)];
        });
        const shape = found.length > 0 || declaration ? null : shapeAnswer(ts, emit(ts, text)).shape;
        return { diagnostics, shape };
    }
}

const bytes = (text, start, end) => Buffer.byteLength(text.slice(start, end));

/* What the compiler makes of a text for ESNext: types out, everything else as it is. */
function emit(ts, text) {
    return ts.transpileModule(text, {
        fileName: 'case.ts',
        compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.Preserve,
                           verbatimModuleSyntax: false, removeComments: true },
    }).outputText;
}

function tokensOf(ts, text) {
    const file = ts.createSourceFile('case.js', text, ts.ScriptTarget.ESNext, true,
                                     ts.ScriptKind.JS);
    const tokens = [];
    const walk = (node) => {
        const children = node.getChildren(file);
        if (children.length > 0)
            return children.forEach(walk);
        const start = node.getStart(file);
        if (start === node.end)
            return undefined;
        const { line, character } = file.getLineAndCharacterOfPosition(start);
        tokens.push([ts.SyntaxKind[node.kind], text.slice(start, node.end), line + 1, character + 1]);
        return undefined;
    };
    walk(file);
    return tokens;
}

// ---- shapes --------------------------------------------------------------------------------------

/* The shape as a list of texts, or the first thing that does not parse. */
function shapeList(ts, text) {
    const file = ts.createSourceFile('case.js', text, ts.ScriptTarget.ESNext, false,
                                     ts.ScriptKind.JS);
    const wrong = file.parseDiagnostics[0];
    if (wrong)
        return { broken: [wrong.code, bytes(text, 0, wrong.start)] };
    const { SyntaxKind: K } = ts;
    const list = [];
    const ignored = (node) =>
        node.kind === K.SemicolonClassElement ||
        (node.kind === K.ExportDeclaration && !node.moduleSpecifier && !node.attributes &&
         node.exportClause?.kind === K.NamedExports && node.exportClause.elements.length === 0);
    /* Deep nests are walked with a stack of our own. */
    const stack = [];
    const later = (node) => { pending.push(node); };
    let pending = [];
    stack.push(file);
    while (stack.length > 0) {
        const node = stack.pop();
        if (typeof node === 'string') {
            list.push(node);
            continue;
        }
        if (ignored(node))
            continue;
        pending = [];
        if (node.kind === K.ParenthesizedExpression) {
            stack.push(node.expression);
            continue;
        }
        if (isList(ts, node)) {
            node.statements.forEach((one) => {
                if (one.kind !== K.EmptyStatement)
                    later(one);
            });
            if (node.kind === K.CaseClause)
                pending.unshift(node.expression);
        } else {
            ts.forEachChild(node, later);
        }
        list.push(describe(ts, node, text, pending.length === 0));
        if (pending.length > 0)
            stack.push('^');
        for (let i = pending.length - 1; i >= 0; i--)
            stack.push(pending[i]);
    }
    return { list };
}

const isList = (ts, node) =>
    node.kind === ts.SyntaxKind.SourceFile || node.kind === ts.SyntaxKind.Block ||
    node.kind === ts.SyntaxKind.CaseClause || node.kind === ts.SyntaxKind.DefaultClause;

/* A node's kind, and what of it forEachChild does not visit. */
function describe(ts, node, text, leaf) {
    const { SyntaxKind: K } = ts;
    let own = String(node.kind);
    switch (node.kind) {
    case K.PrefixUnaryExpression:
    case K.PostfixUnaryExpression:
        own += ` ${ts.tokenToString(node.operator)}`;
        break;
    case K.VariableDeclarationList:
        own += ` ${node.flags & ts.NodeFlags.BlockScoped}`;
        break;
    case K.MetaProperty:
        own += ` ${node.keywordToken}`;
        break;
    case K.HeritageClause:
        own += ` ${node.token}`;
        break;
    case K.TemplateHead:
    case K.TemplateMiddle:
    case K.TemplateTail:
        return `${own} ${text.slice(ts.skipTrivia(text, node.pos), node.end)}`;
    default:
        break;
    }
    if (node.kind === K.NumericLiteral || node.kind === K.BigIntLiteral ||
        node.kind === K.StringLiteral || node.kind === K.Identifier)
        own += ` ${JSON.stringify(node.text)}`;
    else if (leaf && node.kind <= K.LastToken)
        own += ` ${text.slice(ts.skipTrivia(text, node.pos), node.end)}`;
    return own;
}

function shapeAnswer(ts, text) {
    const { list, broken } = shapeList(ts, text);
    if (broken)
        return { broken };
    const hash = createHash('sha256');
    for (let i = 0; i < list.length; i += 4096)
        hash.update(list.slice(i, i + 4096).join('\n') + '\n');
    return { shape: hash.digest('hex').slice(0, 32) };
}

/* Where two programs first differ, with a little of what stands around. */
function explain(ts, text, ours) {
    const theirs = shapeList(ts, emit(ts, text));
    const mine = shapeList(ts, ours);
    if (theirs.broken)
        return { reason: 'broken' };
    if (mine.broken)
        return { theirs: [], ours: mine.broken };
    if (declaredTwice(ts, ours) || declaredTwice(ts, emit(ts, text)))
        return { reason: 'declared-twice' };
    if (refusedByChecker(ts, text))
        return { reason: 'checked' };
    const nameless = theirs.list.filter((one) => !/ "default_\d"$/.test(one));
    if (nameless.length < theirs.list.length && mine.list.length < theirs.list.length)
        return { reason: 'default-name' };
    let at = 0;
    while (at < theirs.list.length && theirs.list[at] === mine.list[at])
        at++;
    const around = (list) => list.slice(Math.max(0, at - 8), at + 8).map((one) => named(ts, one));
    return { at, theirs: around(theirs.list), ours: around(mine.list) };
}

/* Is one name exported by its declaration and by a list, or imported and declared? */
function declaredTwice(ts, text) {
    const { SyntaxKind: K } = ts;
    const file = ts.createSourceFile('case.js', text, ts.ScriptTarget.ESNext, false,
                                     ts.ScriptKind.JS);
    const exported = [];
    const declared = [];
    const imported = [];
    for (const one of file.statements) {
        const names = (one.declarationList?.declarations ?? [one])
            .map((each) => each.name?.text).filter(Boolean);
        declared.push(...names);
        if (one.modifiers?.some((modifier) => modifier.kind === K.ExportKeyword))
            exported.push(...names);
        if (one.kind === K.ExportDeclaration && !one.moduleSpecifier)
            exported.push(...(one.exportClause?.elements ?? []).map((each) => each.name.text));
        if (one.kind === K.ImportDeclaration)
            imported.push(...importedNames(one.importClause));
    }
    const repeated = (list) => new Set(list).size < list.length;
    return repeated(exported) || repeated(imported) ||
           imported.some((name) => declared.includes(name));
}

const importedNames = (clause) =>
    [clause?.name, clause?.namedBindings?.name,
     ...(clause?.namedBindings?.elements ?? []).map((each) => each.name)]
        .filter(Boolean).map((name) => name.text);

/* Grammar that the compiler's parser lets pass and its checker does not: what is emitted of such
 * text is of no interest. Other findings (unknown names, modules, isolated modules) say nothing. */
function refusedByChecker(ts, text) {
    const file = ts.createSourceFile('case.ts', text, ts.ScriptTarget.ESNext, true);
    const options = { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.Preserve, noLib: true,
                      noResolve: true, isolatedModules: true, types: [] };
    const program = ts.createProgram({
        rootNames: ['case.ts'], options,
        host: { ...ts.createCompilerHost(options), fileExists: (name) => name === 'case.ts',
                getSourceFile: (name) => (name === 'case.ts' ? file : undefined),
                readFile: () => undefined },
    });
    const isolation = new Set([1205, 1269, 1280]);
    const others = new Set([2300, 2440, 2702, 2708, 18010, 18019]);
    return program.getSemanticDiagnostics(file).some(({ code }) =>
        (code < 2000 && !isolation.has(code)) || others.has(code));
}

const named = (ts, entry) =>
    entry.replace(/^\d+/, (kind) => ts.SyntaxKind[kind]).slice(0, 60);

// ---- as a process --------------------------------------------------------------------------------

function answer(oracle, request) {
    switch (request.op) {
    case 'judge': return oracle.judge(request.text, request.declaration ?? false);
    case 'shape': return oracle.shape(request.text);
    case 'emit': return { text: oracle.emit(request.text) };
    case 'tokens': return { tokens: oracle.tokens(request.text) };
    case 'explain': return oracle.explain(request.text, request.ours);
    default: return { error: `no such request: ${request.op}` };
    }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
    const oracle = loadOracle(process.argv[2]);
    for await (const line of createInterface({ input: process.stdin })) {
        let reply;
        try {
            reply = answer(oracle, JSON.parse(line));
        } catch (failure) {
            reply = { error: String(failure?.message ?? failure).slice(0, 300) };
        }
        process.stdout.write(JSON.stringify(reply) + '\n');
    }
}
