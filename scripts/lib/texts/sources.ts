import { readFileSync } from 'node:fs';
import { type Node, parseSync } from 'oxc-parser';

/*
 * Finds the sentences in the sources: those that are translated, as `t('…')`, `msg('…')` and `rich('…')` have them, and
 * the bare ones, which nobody reads in another language.
 */

const WRITERS = new Set(['t', 'msg', 'rich']);
/** What only developers and operators read: errors of programs, logs, and what describes the API. */
const FOR_DEVELOPERS = [
  /^(console|log|logger|z)\./,
  /\.(log|debug|info|warn|error|fatal|meta|describe|print)$/,
  /^(Error|TypeError|RangeError|print|UserError|RegExp|expect|until)$/,
];
const PROPERTIES_FOR_DEVELOPERS = new Set([
  'summary',
  'audience',
  'description',
  'example',
  'help',
]);
/** Attributes and properties that hold no words for people. */
const NO_WORDS =
  /^(class|className|.*Class|.*ClassName|d|id|key|type|name|rel|href|src|style|viewBox|transform|to|path|pattern|autoComplete|inputMode|role|aria-keyshortcuts|preserveAspectRatio|data-.*)$/i;

/** Attributes whose values are words, however short. */
const WORDS = /^(title|label|alt|text|placeholder|aria-label|heading|hint)$/;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;
const isWords = (text: string) => /\p{L}{2,}/u.test(text);
/** A sentence or a label, not a name of the program: words with a space between them, or a capital before small letters. */
const isSentence = (markup: string) => {
  const text = markup.replace(/<[^>]*>?/g, ' ').trim();
  // Classes of the style sheet.
  if (/\w-\[/.test(text)) return false;
  return /\p{L}['’]?\p{L}*[,.:;!?…]? \p{L}/u.test(text)
    ? !/^[a-z0-9 _./:()-]+$/.test(text) || /[.!?…]$/.test(text)
    : /^\p{Lu}\p{Ll}+[.!?…]?$/u.test(text);
};

const nameOf = (node: Node): string => {
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

/**
 * Returns the translated texts of a source, the calls that have none where one belongs, and its bare sentences, each
 * with its line.
 */
export function textsOf(file: string, source = readFileSync(file, 'utf8')) {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const texts: Found[] = [];
  const unread: Found[] = [];
  const bare: Found[] = [];
  const lineOf = (at: number) => source.slice(0, at).split('\n').length;
  let isQuiet = false;
  const note = (list: Found[], node: Node, text: string) => {
    if (!isQuiet || list !== bare) list.push({ text, file, line: lineOf(node.start) });
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
      case 'CallExpression':
      case 'NewExpression': {
        const name = nameOf(node.callee);
        const text = literalOf(node.arguments[0]);
        if (WRITERS.has(name)) {
          if (text === undefined) note(unread, node, name);
          else note(texts, node, text);
          visitAll(node.arguments.slice(1));
          return;
        }
        if (FOR_DEVELOPERS.some((each) => each.test(name))) {
          visit(node.callee);
          quiet(() => visitAll(node.arguments));
          return;
        }
        if (/\.join$/.test(name) && /^(, | and | or )$/.test(text ?? '')) note(bare, node, 'join');
        break;
      }
      case 'BinaryExpression':
        // Compared values are those of programs.
        if (/^[=!]==?$/.test(node.operator)) return;
        break;
      case 'SwitchCase':
        visitAll(node.consequent);
        return;
      case 'JSXAttribute': {
        const name = node.name.type === 'JSXIdentifier' ? node.name.name : '';
        if (NO_WORDS.test(name)) return;
        const text = literalOf(node.value);
        if (text === undefined) break;
        if (WORDS.test(name) ? isWords(text) : isSentence(text)) note(bare, node, text);
        return;
      }
      case 'JSXText':
        if (isWords(node.value)) note(bare, node, node.value.trim());
        return;
      case 'Property':
      case 'PropertyDefinition': {
        const name = keyName(node.key);
        if (PROPERTIES_FOR_DEVELOPERS.has(name) && file.startsWith('contract/')) return;
        if (NO_WORDS.test(name) && name !== 'name') return;
        if (node.value) visit(node.value);
        return;
      }
      case 'TemplateLiteral': {
        const words = node.quasis.map(({ value }) => value.cooked ?? '').join('…');
        if (isSentence(words.replaceAll('…', 'X')) && isSentence(words)) note(bare, node, words);
        visitAll(node.expressions);
        return;
      }
      case 'Literal':
        if (typeof node.value === 'string' && isSentence(node.value)) note(bare, node, node.value);
        return;
    }
    for (const [name, value] of Object.entries(node)) {
      if (name === 'typeAnnotation' || name === 'typeArguments') continue;
      visitAll((Array.isArray(value) ? value : [value]).filter(isNode));
    }
  }
  visit(program);
  return { texts, unread, bare };
}
