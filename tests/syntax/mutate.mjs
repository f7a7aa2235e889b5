/*
 * One-token mutations of a text: a token deleted, doubled, swapped with its neighbour, replaced by
 * another of the same file, or another one inserted. And other layouts of a text. What comes out
 * depends on the text, the seed and the number of the mutation alone.
 */

/* A small generator of our own, so that no release of Node changes what a seed means. */
export function randomFrom(seed) {
    let state = BigInt.asUintN(64, BigInt(seed) * 0x9e3779b97f4a7c15n + 0x2545f4914f6cdd1dn);
    return (below) => {
        state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
        let mixed = state;
        mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n);
        mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
        return Number((mixed ^ (mixed >> 31n)) % BigInt(below));
    };
}

/* The tokens of a text as [start, end]. A scanner alone cannot know a regular expression or the
 * rest of a template; what stands before a slash, and a count of braces, are near enough. */
export function tokenise(ts, text) {
    const { SyntaxKind: K } = ts;
    const scanner = ts.createScanner(ts.ScriptTarget.ESNext, true, ts.LanguageVariant.Standard, text);
    const tokens = [];
    const templates = [];
    let before = K.Unknown;
    for (;;) {
        let kind = scanner.scan();
        if (kind === K.EndOfFileToken)
            return tokens;
        if ((kind === K.SlashToken || kind === K.SlashEqualsToken) && !endsOperand(K, before))
            kind = scanner.reScanSlashToken();
        if (kind === K.CloseBraceToken && templates.at(-1) === 0)
            kind = scanner.reScanTemplateToken(false);
        if (kind === K.TemplateHead)
            templates.push(0);
        else if (kind === K.TemplateTail)
            templates.pop();
        else if (kind === K.OpenBraceToken && templates.length > 0)
            templates[templates.length - 1]++;
        else if (kind === K.CloseBraceToken && templates.length > 0)
            templates[templates.length - 1]--;
        tokens.push([scanner.getTokenStart(), scanner.getTokenEnd()]);
        before = kind;
    }
}

const endsOperand = (K, kind) =>
    kind === K.Identifier || kind === K.CloseParenToken || kind === K.CloseBracketToken ||
    kind === K.CloseBraceToken || kind === K.NumericLiteral || kind === K.BigIntLiteral ||
    kind === K.StringLiteral || kind === K.TemplateTail || kind === K.ThisKeyword ||
    kind === K.NoSubstitutionTemplateLiteral || kind === K.PlusPlusToken ||
    kind === K.MinusMinusToken || kind === K.RegularExpressionLiteral ||
    kind === K.NullKeyword || kind === K.TrueKeyword || kind === K.FalseKeyword;

/* The same tokens laid out otherwise: lines broken between any two of them, semicolons left out where
 * a line ends. Much of it still means something, and where it does, it hangs on where lines end. */
export function relayout(text, tokens, random) {
    let laid = '';
    for (let i = 0; i < tokens.length; i++) {
        const [start, end] = tokens[i];
        const token = text.slice(start, end);
        const gap = i > 0 ? text.slice(tokens[i - 1][1], start) : '';
        const nextGap = i + 1 < tokens.length ? text.slice(end, tokens[i + 1][0]) : '\n';
        const breaks = gap.includes('\n') || random(12) === 0;
        laid += (breaks ? '\n' : ' ') +
                (token === ';' && nextGap.includes('\n') && random(2) === 0 ? '' : token);
    }
    return laid;
}

export const KINDS = ['delete', 'double', 'swap', 'replace', 'insert'];

/* The text with one token changed, and what was done; null for a text of fewer than two tokens. */
export function mutate(text, tokens, random) {
    if (tokens.length < 2)
        return null;
    const kind = KINDS[random(KINDS.length)];
    const at = random(kind === 'swap' ? tokens.length - 1 : tokens.length);
    const [start, end] = tokens[at];
    const token = text.slice(start, end);
    const [otherStart, otherEnd] = tokens[random(tokens.length)];
    const other = text.slice(otherStart, otherEnd);
    const put = (from, to, what) => text.slice(0, from) + what + text.slice(to);
    switch (kind) {
    case 'delete': return { text: put(start, end, ''), kind, start, token };
    case 'double': return { text: put(start, end, `${token} ${token}`), kind, start, token };
    case 'replace': return { text: put(start, end, other), kind, start, token: other };
    case 'insert': return { text: put(start, start, `${other} `), kind, start, token: other };
    default: {
        const [nextStart, nextEnd] = tokens[at + 1];
        const between = text.slice(end, nextStart);
        const swapped = text.slice(nextStart, nextEnd) + between + token;
        return { text: put(start, nextEnd, swapped), kind, start, token };
    }
    }
}
