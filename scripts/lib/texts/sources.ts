import { readFileSync } from 'node:fs';
import { type Node, parseSync } from 'oxc-parser';

/*
 * Finds the sentences in the sources: those that are translated, as `t('…')`, `msg('…')` and `rich('…')` have them, and
 * the bare ones, which nobody reads in another language.
 */

const WRITERS = new Set(['t', 'msg', 'rich']);
/** Calls that write at once, for whoever reads then: outside of functions nobody reads yet. */
const AT_ONCE = new Set(['t', 'rich', 'writeMessage']);

// What only developers and operators read stays English: errors of programs, logs, what describes the API, and what
// commands and a starting server print.

const FILES_FOR_DEVELOPERS = [
  /^server\/(backup|create-admin|held-deliveries|main|remove-second-factor|restore)\.ts$/,
  /^server\/platform\/(backup|metrics|process)\//,
  /^server\/admin\/setup\/create-admin\.ts$/,
  /^server\/edge\/docs\//,
  // Names of devices are stored, and written anew for whoever reads them.
  /^server\/people\/auth\/sources\.ts$/,
  /^workers\/([\w-]+\.ts$|delivery\/)/,
];
const FOR_DEVELOPERS = [
  /^(console|log|logger|z)\./,
  /\.(log|debug|info|warn|error|fatal|meta|describe|print)$/,
  /^(\w*Error|NotAdmitted|print|RegExp|expect|until|super)$/,
  /^(ctx|request|response|headers)\.(set|vary|remove|setHeader)$/,
];
/** Calls of names of the program, such as those of locks. */
const NAMED =
  /^(named|Prisma\.raw|\S*\.update|lockName|lockUser|mailboxOf|[\w.]*exclusive\.run|tools\.limit\.run)$/;
const CONSTANTS_FOR_PROGRAMS =
  /^(HEALTH_SECTIONS|OUTDATED|DROPPED|OWN|SINGLE_PROPERTIES|view|\w*([kK]ey|KEY|Lock)(Of)?)$/;
const PROPERTIES_FOR_DEVELOPERS = new Set([
  'summary',
  'audience',
  'description',
  'example',
  'help',
  'notRepeatable',
]);
/** Statements of SQL and their parts, headers of HTTP, styles, and names that are the same in every language. */
const FOR_PROGRAMS = [
  /\b(SELECT|INSERT INTO|DELETE FROM|WHERE|FROM (?=[a-z(])|CASE WHEN|ORDER BY|JOIN|IS (NOT )?NULL|COALESCE|MATERIALIZED|FOR (NO KEY )?UPDATE|COLLATE|INTERVAL)\b|::(uuid|int|text|json)|= \$\d|\b(ASC|DESC)(,|$)| AS "|^WITH … …$|\bCASE \S+ WHEN\b|json_build_object|\bAND \w+\.\w|\btimestamptz\b|', \w+\.\w|\bIN \(/,
  /^HTTP\/1|^[\w-]+\/[\w.+-]+; ?charset=|^(public|private|no-store), |^[\w-]+ '(self|none)'|; (Path|HttpOnly)/,
  /^(Vary|Bearer|Connection|Farmgate|Redis|Postgres|Edge|Firefox|Chrome|Safari|Opera|Android|Windows|Linux|Mac|Samsung Internet|Inter|Sitemap: …|Bearer …|Inter …px)$/,
  /\{ ?[\w-]+: [^}]+;|^(system-ui|Inter …px)|\b(street|city|state),? (city|state|zipCode)|^([A-Z]{2} )+[A-Z]{2}$/,
];
/** Attributes and properties that hold no words for people. */
const NO_WORDS =
  /^(class|className|.*Class|.*ClassName|d|id|key|type|name|rel|href|src|style|viewBox|prodId|transform|to|path|pattern|autoComplete|inputMode|role|aria-keyshortcuts|preserveAspectRatio|data-.*)$/i;

/** Attributes whose values are words, however short. */
const WORDS = /^(title|label|alt|text|placeholder|aria-label|heading|hint)$/;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;
const isWords = (text: string) => /\p{L}{2,}/u.test(text);
const isForPrograms = (text: string) => FOR_PROGRAMS.some((each) => each.test(text));

/** A sentence or a label, not a name of the program: words with a space between them, or a capital before small letters. */
const isSentence = (markup: string) => {
  if (isForPrograms(markup)) return false;
  const text = markup.replace(/<[^>]*>?/g, ' ').trim();
  // Classes of the style sheet.
  if (/\w-\[/.test(text)) return false;
  return /\p{L}['’]?\p{L}*[,.:;!?…]? \p{L}/u.test(text)
    ? !/^[a-z0-9 _./:()-]+$/.test(text) || /[.!?…]$/.test(text)
    : /^\p{Lu}\p{Ll}+[.!?…]?$/u.test(text);
};

const nameOf = (node: Node): string => {
  if (node.type === 'Super') return 'super';
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'MemberExpression' && !node.computed)
    return `${nameOf(node.object)}.${nameOf(node.property)}`;
  return '';
};

const keyName = (key: Node): string => (key.type === 'Literal' ? String(key.value) : nameOf(key));

/** The text of a literal, undefined where it has expressions. */
function literalOf(node: Node | null | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral' && node.quasis.length === 1)
    return node.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}

interface Found {
  text: string;
  file: string;
  line: number;
}

/** Words that stand beside an expression, as in `${count} orders`: a sentence in parts. */
const isGlued = (words: string) => {
  const text = words.replace(/<[^>]*>?/g, ' ');
  return (
    !isForPrograms(words) &&
    /(^| )[\p{L}'’]{2,}[,.:;!?]? …|… [\p{L}'’]{2,}[,.:;!?]?( |$)/u.test(text)
  );
};
/** Endings of English, as in `count === 1 ? '' : 's'`. */
const ENDING = /^(s|es|ies|y|n|ed|d)$/;

/** What is put before or behind something by `+`. */
const isPart = (text: string) =>
  ENDING.test(text) || (/^ \p{L}{2}|\p{L}{2} $/u.test(text) && !isForPrograms(text));

/** Names in a text whose value is a word of the program, which no reader sees. */
const selectsOf = (text: string) =>
  new Set(Array.from(text.matchAll(/\{\s*(\w+)\s*,\s*select\b/g), ([, name]) => name));

/**
 * Returns the translated texts of a source, the calls that have none where one belongs, its bare sentences, and those
 * that are glued of parts, each with its line.
 */
export function textsOf(file: string, source = readFileSync(file, 'utf8')) {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const texts: Found[] = [];
  const unread: Found[] = [];
  const bare: Found[] = [];
  const glued: Found[] = [];
  /** Sentences that are written before anybody reads. */
  const early: Found[] = [];
  const lineOf = (at: number) => source.slice(0, at).split('\n').length;
  let isQuiet = FILES_FOR_DEVELOPERS.some((each) => each.test(file));
  let functions = 0;
  const note = (list: Found[], node: Node, text: string) => {
    if (isQuiet && (list === bare || list === glued)) return;
    list.push({ text: text.replace(/\s+/g, ' '), file, line: lineOf(node.start) });
  };
  /** Visits what only developers read: a schema has sentences for people in it. */
  const quiet = (visiting: () => void) => {
    const before = isQuiet;
    isQuiet = true;
    visiting();
    isQuiet = before;
  };

  function visitAll(nodes: readonly (Node | null)[]): void {
    for (const each of nodes) if (each) visit(each);
  }
  /** Looks for English in a value of a text: literals, alone or to choose from. */
  function visitValue(name: string, value: Node): void {
    const text = literalOf(value);
    if (text !== undefined) {
      if (isWords(text) && !isForPrograms(text)) note(glued, value, `${name}: '${text}'`);
    } else if (value.type === 'ConditionalExpression') {
      visit(value.test);
      visitValue(name, value.consequent);
      visitValue(name, value.alternate);
    } else if (value.type === 'LogicalExpression') {
      visit(value.left);
      visitValue(name, value.right);
    } else visit(value);
  }
  /** Visits what a text names. */
  function visitValues(text: string, values: Node | undefined): void {
    if (values?.type !== 'ObjectExpression') {
      if (values) visit(values);
      return;
    }
    const selects = selectsOf(text);
    for (const each of values.properties) {
      const name = each.type === 'Property' ? keyName(each.key) : '';
      if (each.type !== 'Property' || selects.has(name)) visit(each);
      else visitValue(name, each.value);
    }
  }
  function visitCall(node: Extract<Node, { type: 'CallExpression' | 'NewExpression' }>): boolean {
    const name = nameOf(node.callee);
    const text = literalOf(node.arguments[0]);
    if (AT_ONCE.has(name) && functions === 0) note(early, node, `${name}(…)`);
    if (WRITERS.has(name)) {
      if (text === undefined) note(unread, node, name);
      else note(texts, node, text);
      visitValues(text ?? '', node.arguments[1]);
      return true;
    }
    if (FOR_DEVELOPERS.some((each) => each.test(name))) {
      visit(node.callee);
      quiet(() => visitAll(node.arguments));
      return true;
    }
    if (NAMED.test(name)) {
      visitAll(node.arguments.filter((each) => !/Literal$/.test(each.type)));
      return true;
    }
    if (/\.join$/.test(name) && /^(, | and | or |, and |, or )$/.test(text ?? ''))
      note(glued, node, `.join('${text}')`);
    if (/\.to(Locale)?LowerCase$/.test(name) && node.callee.type === 'MemberExpression')
      if (writes(node.callee.object)) note(glued, node, '.toLowerCase()');
    return false;
  }
  /** Whether a node is a phrase: a written sentence, or a label from a table. */
  const writes = (node: Node): boolean =>
    node.type === 'CallExpression'
      ? /^(t|writeMessage|listOf)$/.test(nameOf(node.callee)) ||
        /(Label|Name|Words|Text)$/.test(nameOf(node.callee))
      : node.type === 'MemberExpression' && node.computed
        ? /[A-Z]{2,}(LABEL|NAME|WORD)S?$|LABELS/.test(nameOf(node.object))
        : isWords(literalOf(node) ?? '');

  function visit(node: Node): void {
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
      case 'ImportExpression':
      case 'TSLiteralType':
      case 'TSTypeAliasDeclaration':
      case 'TSInterfaceDeclaration':
      case 'TaggedTemplateExpression':
        return;
      case 'VariableDeclarator':
        if (node.init && CONSTANTS_FOR_PROGRAMS.test(nameOf(node.id)))
          quiet(() => visitInside(node));
        else visitInside(node);
        return;
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
      case 'PropertyDefinition':
        functions++;
        visitInside(node);
        functions--;
        return;
      case 'CallExpression':
      case 'NewExpression':
        if (visitCall(node)) return;
        break;
      case 'BinaryExpression':
        // Compared values are those of programs.
        if (/^([=!]==?|in)$/.test(node.operator)) return;
        if (
          node.operator === '+' &&
          [node.left, node.right].some((side) => isPart(literalOf(side) ?? ''))
        )
          note(glued, node, 'a sentence in parts');
        break;
      case 'ConditionalExpression': {
        const sides = [node.consequent, node.alternate].map((side) => literalOf(side) ?? '-');
        if (sides.includes('') && sides.some((side) => ENDING.test(side)))
          note(glued, node, 'an ending');
        break;
      }
      case 'SwitchCase':
        visitAll(node.consequent);
        return;
      case 'JSXAttribute': {
        const name = node.name.type === 'JSXIdentifier' ? node.name.name : '';
        if (NO_WORDS.test(name)) {
          // Components take words under such names too: <Fact name={t('From')}>.
          quiet(() => visitAll([node.value]));
          return;
        }
        const text = literalOf(node.value);
        if (text === undefined) break;
        if (WORDS.test(name) ? isWords(text) : isSentence(text)) note(bare, node, text);
        return;
      }
      case 'JSXText':
        if (isWords(node.value)) note(bare, node, node.value.trim());
        return;
      case 'Property': {
        const name = keyName(node.key);
        const isForDevelopers = PROPERTIES_FOR_DEVELOPERS.has(name) && file.startsWith('contract/');
        // A field of a form may be called so, too, and say what is wrong with it.
        if (isForDevelopers || (NO_WORDS.test(name) && name !== 'name'))
          quiet(() => visitAll([node.value]));
        else visitAll([node.value]);
        return;
      }
      case 'TemplateLiteral': {
        const words = node.quasis.map(({ value }) => value.cooked ?? '').join('…');
        if (isSentence(words.replaceAll('…', 'X')) && isSentence(words)) note(bare, node, words);
        else if (isGlued(words)) note(glued, node, words);
        visitAll(node.expressions);
        return;
      }
      case 'Literal':
        if (typeof node.value === 'string' && isSentence(node.value)) note(bare, node, node.value);
        return;
    }
    visitInside(node);
  }
  function visitInside(node: Node): void {
    for (const [name, value] of Object.entries(node)) {
      if (name === 'typeAnnotation' || name === 'typeArguments') continue;
      visitAll((Array.isArray(value) ? value : [value]).filter(isNode));
    }
  }
  visit(program);
  return { texts, unread, bare, glued, early };
}
