import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { UserError } from './lib/output.mjs';
import { run } from './lib/run.mjs';
import { root } from './lib/settings.mjs';

/*
 * `npm run lines [-- commit]` compares the size of this tree with that of a commit. Blank lines and indentation are not
 * counted, and comments are counted apart.
 */

/** The tree that the economy of the code was last judged by. */
const BASELINE = '11d0459e';
const TESTS = /\.test\.|(^|\/)testing\/|^(e2e|bench)\/|^vitest/;
const PRODUCTION = /^((contract|server|web|workers|prisma|demo|scripts)\/|vite\.)/;
/** Generated, applied to databases already, or no text of ours: pictures, fonts with their licences, locks. */
const UNCOUNTED =
  /^prisma\/(generated|migrations)\/|\/fonts\/|\.(svg|png|jpe?g|webp|ico|ttf|woff2?|pdf|gz|br|lock)$/;
const SMALL_LINES_MAX = 25;
const LINES_MAX = 400;

/** What may hold the sign of a comment without being one is matched first; the group is a comment. */
const STRINGS = String.raw`"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'`;
const COMMENTS = {
  css: String.raw`${STRINGS}|url\([^)]*\)|(\/\*[^]*?\*\/)`,
  html: '(<!--[^]*?-->)',
  prisma: String.raw`${STRINGS}|(\/\/.*)`,
  sql: String.raw`'[^']*'|"[^"]*"|(--.*|\/\*[^]*?\*\/)`,
  yml: String.raw`${STRINGS}|(?<=^|\s)(#.*)`,
};

/** Returns the comments of a file as `[start, end]`. */
function commentsOf(file, text) {
  if (/\.[cm]?[jt]sx?$/.test(file)) {
    const { comments, errors } = parseSync(file, text);
    if (errors.length > 0) throw new UserError(`${file}: ${errors[0].message}`);
    return comments.map(({ start, end }) =>
      // An element that is a comment alone.
      text[start - 1] === '{' && text[end] === '}' ? [start - 1, end + 1] : [start, end],
    );
  }
  const pattern = COMMENTS[file.split('.').at(-1)];
  const matches = pattern ? [...text.matchAll(new RegExp(pattern, 'gm'))] : [];
  return matches
    .filter(([, comment]) => comment !== undefined)
    .map(({ 0: comment, index }) => [index, index + comment.length]);
}

/** Returns lines and characters of code and of comments; a line with both is one of code. */
function measure(file, text) {
  const size = { lines: 0, chars: 0, commentLines: 0, commentChars: 0 };
  const inComments = [];
  let code = '';
  let end = 0;
  for (const [from, to] of commentsOf(file, text)) {
    const comment = text.slice(from, to);
    inComments.push(comment);
    code += text.slice(end, from) + comment.replace(/[^\n]/g, ' ');
    end = to;
  }
  const codeLines = (code + text.slice(end)).split('\n');
  for (const [index, line] of text.split('\n').entries()) {
    const written = codeLines[index].trim();
    size.chars += written.length;
    if (written) size.lines++;
    else if (line.trim()) size.commentLines++;
  }
  for (const line of inComments.join('\n').split('\n')) size.commentChars += line.trim().length;
  return size;
}

/** What would be counted wrongly by looking for the signs of comments alone. */
function checkMeasure() {
  const samples = [
    ['a.ts', "const a = 'http://x'; // why\n\n/* two\nlines */\nconst b = /[/*]/;", 2, 2],
    ['a.ts', `const a = \`// \${/* in */ 1} /* \${'\`'}\`;\n// end`, 1, 1],
    ['a.tsx', "const a = (\n  <p>\n    it's // text\n    {/* why */}\n  </p>\n);", 5, 1],
    ['a.css', 'a { content: "/*"; }\n/* why\n*/\nb { mask: url(//x/*); } /* c */', 2, 2],
    ['a.sql', "SELECT '--', \"/*\" -- it's\n-- why\n, 1", 2, 1],
    ['a.html', '<p>// text</p>\n<!-- why\n\n-->', 1, 2],
    ['a.prisma', 'model A {\n  // why\n  url String @default("//")\n}', 3, 1],
    ['a.json', '{\n  "a": "// text"\n}', 3, 0],
  ];
  for (const [file, text, ...expected] of samples) {
    const { lines, commentLines } = measure(String(file), String(text));
    assert.deepEqual([lines, commentLines], expected);
  }
}

const git = (args, input) =>
  execFileSync('git', args, { cwd: root, input, maxBuffer: 2 ** 30, stdio: 'pipe' });
const listed = (args) => git(args).toString().split('\0').filter(Boolean);
const kindOf = (file) => {
  if (UNCOUNTED.test(file)) return undefined;
  if (TESTS.test(file)) return 'tests';
  return PRODUCTION.test(file) ? 'production' : undefined;
};

/** Returns the counted files of this directory with their text. */
function presentFiles() {
  return listed(['ls-files', '-z', '--cached', '--others', '--exclude-standard'])
    .filter((file) => kindOf(file) && existsSync(join(root, file)))
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]);
}

/** Returns the counted files of a commit with their text, without a checkout. */
function filesAt(commit) {
  const files = listed(['ls-tree', '-r', '-z', '--name-only', commit]).filter(kindOf);
  const output = git(['cat-file', '--batch'], files.map((file) => `${commit}:${file}\n`).join(''));
  let at = 0;
  return files.map((file) => {
    const start = output.indexOf('\n', at) + 1;
    const bytes = Number(output.toString('utf8', at, start).trim().split(' ').at(-1));
    at = start + bytes + 1;
    return [file, output.toString('utf8', start, start + bytes)];
  });
}

/** Returns the sums of a tree by kind and top folder, and how large its production files are. */
function summarize(files) {
  const rows = new Map();
  const fileLines = { production: [], tests: [] };
  for (const [file, text] of files) {
    const size = measure(file, text);
    const kind = kindOf(file);
    fileLines[kind].push(size.lines + size.commentLines);
    const folder = file.includes('/') ? file.split('/', 1)[0] : 'vite files';
    for (const name of [kind, `${kind} ${folder}`]) {
      const row = rows.get(name) ?? {};
      for (const field of Object.keys(size)) row[field] = (row[field] ?? 0) + size[field];
      rows.set(name, row);
    }
  }
  for (const [kind, lines] of Object.entries(fileLines)) {
    lines.sort((one, other) => one - other);
    rows.set(`files of ${kind}`, {
      files: lines.length,
      small: lines.filter((count) => count <= SMALL_LINES_MAX).length,
      large: lines.filter((count) => count > LINES_MAX).length,
      median: lines[Math.floor(lines.length / 2)],
    });
  }
  return rows;
}

const format = (count) => (count ?? 0).toLocaleString('en');

function print([before, after], names, headings, fields) {
  const line = (parts) =>
    parts.map((part, index) => (index ? part.padStart(32) : part.padEnd(24))).join('');
  process.stdout.write(`${line(headings)}\n`);
  for (const name of names) {
    const values = fields.map((field) => {
      const [old = 0, now = 0] = [before.get(name)?.[field], after.get(name)?.[field]];
      const change = now === old ? '' : ` ${now > old ? '+' : ''}${format(now - old)}`;
      return `${format(old)} > ${format(now)}${change}`;
    });
    process.stdout.write(`${line([name, ...values])}\n`);
  }
  process.stdout.write('\n');
}

run(async () => {
  checkMeasure();
  const commit = process.argv[2] ?? BASELINE;
  let before;
  try {
    before = summarize(filesAt(commit));
  } catch (error) {
    if (error.stderr === undefined) throw error;
    throw new UserError(`There is no commit ${commit} here.`);
  }
  const after = summarize(presentFiles());
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  const isOfFiles = (name) => name.startsWith('files of');
  const characters = 'their characters';
  print(
    [before, after],
    names.filter((name) => !isOfFiles(name)),
    [`${commit} > now`, 'lines of code', characters, 'lines of comments', characters],
    ['lines', 'chars', 'commentLines', 'commentChars'],
  );
  print(
    [before, after],
    names.filter(isOfFiles),
    [
      'with comments',
      'files',
      `of ${SMALL_LINES_MAX} lines or less`,
      `of more than ${LINES_MAX}`,
      'median',
    ],
    ['files', 'small', 'large', 'median'],
  );
});
