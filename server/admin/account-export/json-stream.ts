/** Members of a JSON object in their order, by their names. */
export type Members = readonly (readonly [name: string, content: Content])[];

/** What a member holds: a known value, a list whose items are read page by page, or an object of such members. */
export type Content = { value: unknown } | { items: AsyncIterable<unknown> } | { members: Members };

/** Writes an object as JSON text, piece by piece, so that no more of it is held than one page of a list. */
export async function* writeJson(members: Members): AsyncGenerator<string> {
  yield '{';
  let separator = '\n';
  for (const [name, content] of members) {
    yield `${separator}${JSON.stringify(name)}: `;
    separator = ',\n';
    if ('members' in content) yield* writeJson(content.members);
    else if ('items' in content) yield* writeList(content.items);
    else yield JSON.stringify(content.value);
  }
  yield '\n}';
}

async function* writeList(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield '[';
  let separator = '\n';
  for await (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ',\n';
  }
  yield ']';
}
