// @vitest-environment happy-dom
/** @jsxImportSource #jsx */
import { render } from '@testing-library/react';
import { Fragment, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => vi.restoreAllMocks());

/** Puts each text into two elements of a translator's, as browsers do that translate a page. */
function translate(root: HTMLElement): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    if (text.data.trim() === '') continue;
    const outer = document.createElement('font');
    const inner = document.createElement('font');
    outer.append(inner);
    text.replaceWith(outer);
    inner.append(`«${text.data}»`);
  }
}

/** Renders the states one after the other, with a translation before each change. */
function walk(draw: (state: number) => ReactNode, states: number): string[] {
  const { container, rerender, unmount } = render(<main>{draw(0)}</main>);
  const shown = [container.textContent];
  for (let state = 1; state < states; state += 1) {
    translate(container);
    rerender(<main>{draw(state)}</main>);
    shown.push(container.textContent.replaceAll(/[«»]/g, ''));
  }
  translate(container);
  unmount();
  return shown;
}

const name = 'Kale';

it.each<[string, (state: number) => ReactNode, string[]]>([
  ['a number within words', (left) => <p>Only {left} left</p>, ['Only 0 left', 'Only 1 left']],
  [
    'a sign that comes before words',
    (state) => (
      <button type="button">
        {state === 1 && <i>…</i>}
        Save
      </button>
    ),
    ['Save', '…Save', 'Save'],
  ],
  [
    'words that become others beside an element',
    (state) => (
      <p>
        {state === 0 ? 'Only 3 left' : 'Sold out'} <b>{name}</b>
      </p>
    ),
    ['Only 3 left Kale', 'Sold out Kale'],
  ],
  [
    'words that go',
    (state) => (
      <p>
        {state === 0 && 'New: '}
        <b>{name}</b>
        {state === 1 && ' is here'}
      </p>
    ),
    ['New: Kale', 'Kale is here'],
  ],
  [
    'the words of a fragment',
    (state) => (
      <p>
        <b>{name}</b>
        {state === 0 ? <>{state + 1} left</> : <Fragment key="none">none</Fragment>}
      </p>
    ),
    ['Kale1 left', 'Kalenone'],
  ],
  [
    'words that a component passes on',
    (state) => (
      <Passing sign={state === 1}>
        {state} of {3}
      </Passing>
    ),
    ['0 of 3', '!1 of 3', '2 of 3'],
  ],
])('follows %s in a translated page', (_, draw, shown) => {
  const complaints = vi.spyOn(console, 'error');
  expect(walk(draw, shown.length)).toEqual(shown);
  expect(complaints).not.toHaveBeenCalled();
});

function Passing({ sign, children }: { sign: boolean; children: ReactNode }) {
  return (
    <p>
      {sign && <i>!</i>}
      {children}
    </p>
  );
}

it('adds no element where text is alone, and none for spaces between elements', () => {
  const html = renderToString(
    <p>
      Only {3} left of <b>{name}</b> <i>today</i>
    </p>,
  );
  expect(html).toBe('<p><span>Only 3 left of </span><b>Kale</b> <i>today</i></p>');
  expect(renderToString(<p>Only {3} left</p>)).toBe('<p>Only 3 left</p>');
});

it('still asks for keys in lists', () => {
  const complaints = vi.spyOn(console, 'error').mockReturnValue();
  const items = ['a', 'b'].map((each) => (
    // biome-ignore lint/correctness/useJsxKeyInIterable: it is what React is to complain of.
    <li>{each}</li>
  ));
  render(<ul>{items}</ul>);
  expect(String(complaints.mock.calls[0]?.[0])).toContain('key');
});
