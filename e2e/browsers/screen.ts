import { until } from '../../testing/until.ts';
import type { Driver } from './drivers.ts';

/** What a person looks for: by its kind, and by its name where there are several. */
export interface Target {
  selector: string;
  name?: RegExp;
  /** Which of those that fit, from 0. */
  nth?: number;
}

export const button = (name: RegExp): Target => ({ selector: 'button', name });
export const link = (name: RegExp): Target => ({ selector: 'a[href]', name });
export const field = (name: RegExp): Target => ({ selector: 'input, textarea, select', name });
export const checkbox = (name: RegExp): Target => ({
  selector: '[type=checkbox], [role=checkbox]',
  name,
});
export const ticked = (name: RegExp): Target => ({
  selector: '[type=checkbox]:checked, [role=checkbox][aria-checked=true]',
  name,
});

interface Place {
  x: number;
  y: number;
  isReached: boolean;
}

/** Runs in the page: scrolls to an element and returns where a finger would meet it, and whether nothing covers it. */
function locate(selector: string, source: string, flags: string, nth: number): Place | null {
  const name = new RegExp(source, flags);
  const textOf = (element: Element): string => {
    const { labels } = element as HTMLInputElement;
    const others = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
    const words = [
      element.getAttribute('aria-label'),
      others.map((id) => document.getElementById(id)?.textContent).join(' '),
      [...(labels ?? [])].map((label) => label.textContent).join(' '),
      element.textContent,
    ];
    return (words.find((text) => text?.trim()) ?? '').replaceAll(/\s+/g, ' ').trim();
  };
  const found = [...document.querySelectorAll(selector)]
    .map((element) => {
      const { labels } = element as HTMLInputElement;
      // Choices are drawn by their labels, around a field that is not to be seen.
      const { width } = element.getBoundingClientRect();
      return {
        element,
        shown: width < 8 ? (element.closest('label') ?? labels?.[0] ?? element) : element,
      };
    })
    .filter(
      ({ element, shown }) => shown.getClientRects().length > 0 && name.test(textOf(element)),
    );
  const { element, shown } = found[nth] ?? {};
  if (!element || !shown || element.matches(':disabled')) return null;
  const point = () => {
    const { left, top, width, height } = shown.getBoundingClientRect();
    const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)];
    const met = document.elementFromPoint(x, y);
    return { x, y, isMet: met !== null && (shown.contains(met) || met.contains(element)) };
  };
  // Out of sight, or under a bar.
  if (!point().isMet) shown.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { x, y, isMet } = point();
  // React leaves its mark on an element once it takes what is pressed.
  const isTaken = Object.keys(element).some((key) => key.startsWith('__reactProps'));
  return { x, y, isReached: isTaken && isMet };
}

/** Runs in the page: notes errors from now on. */
function noteErrors(): boolean {
  const notes: string[] = [];
  Object.assign(window, { notedErrors: notes });
  const { error } = console;
  console.error = (...parts) => {
    notes.push(parts.map(String).join(' '));
    error(...parts);
  };
  addEventListener('error', ({ message }) => notes.push(message));
  addEventListener('unhandledrejection', ({ reason }) => notes.push(String(reason)));
  addEventListener('securitypolicyviolation', ({ violatedDirective }) =>
    notes.push(violatedDirective),
  );
  return true;
}

/** What Firefox logs when a line is cut. */
const CUT_OFF = /establish a connection to the server|was interrupted/;

/** Every key by itself, as typing does. */
const keys = (text: string) =>
  [...text].flatMap((value) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ]);

/** A person's screen: what they see, press and type. */
export class Screen {
  readonly #driver: Driver;
  readonly #url: string;

  constructor(driver: Driver, url: string) {
    this.#driver = driver;
    this.#url = url;
  }

  /** Loads the first page. */
  async load(path: string): Promise<void> {
    await this.#driver.goto(`${this.#url}${path}`);
    await this.#driver.evaluate(`(${noteErrors})()`);
  }

  /** Goes to another page within the client, so that nothing it still loads is cut off. */
  async goto(path: string): Promise<void> {
    await this.#driver.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);
  }

  /** Returns where an element is, once it stands still and can be reached. */
  async #find({ selector, name = /(?:)/, nth = 0 }: Target): Promise<Place> {
    const args = [selector, name.source, name.flags, nth].map((each) => JSON.stringify(each));
    let last: Place | null = null;
    return until(`${selector} ${name}`, async () => {
      const before = last;
      last = await this.#driver.evaluate<Place | null>(`(${locate})(${args})`);
      return last?.isReached && before?.x === last.x && before.y === last.y ? last : null;
    });
  }

  /** Waits until an element takes what is pressed. */
  async has(target: Target): Promise<void> {
    await this.#find(target);
  }

  async press(target: Target): Promise<void> {
    const { x, y } = await this.#find(target);
    const actions = [
      { type: 'pointerMove', x, y, duration: 0, origin: 'viewport' },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    const parameters = { pointerType: 'mouse' };
    await this.#driver.act([{ type: 'pointer', id: 'mouse', parameters, actions }]);
  }

  /** Writes a text in place of what a field holds. */
  async type(target: Target, text: string): Promise<void> {
    await this.press(target);
    await this.#driver.evaluate('document.activeElement.select?.()');
    await this.#driver.act([{ type: 'key', id: 'keys', actions: keys(text) }]);
  }

  /** Sets a field whose keys differ by browser and language, such as one for a time or a list of choices. */
  async choose(target: Target, value: string): Promise<void> {
    await this.#find(target);
    await this.#driver.evaluate(
      `(${(selector: string, text: string) => {
        const box = document.querySelector(selector) as HTMLInputElement;
        const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(box), 'value') ?? {};
        set?.call(box, text);
        for (const type of ['input', 'change'])
          box.dispatchEvent(new Event(type, { bubbles: true }));
      }})(${JSON.stringify(target.selector)}, ${JSON.stringify(value)})`,
    );
  }

  attach(selector: string, file: string): Promise<unknown> {
    return this.#driver.attach(selector, file);
  }

  /** Waits until words are to be read, wherever. */
  async sees(words: RegExp): Promise<void> {
    const test = `${words}.test(document.body.innerText)`;
    await until(`the words ${words}`, () => this.#driver.evaluate<boolean>(test));
  }

  /** Waits until an expression is true in the page. */
  async untilTrue(expression: string): Promise<void> {
    await until(expression, () => this.#driver.evaluate<boolean>(expression));
  }

  read<T>(expression: string): Promise<T> {
    return this.#driver.evaluate<T>(expression);
  }

  /** Returns by how many pixels the page is wider than the screen. */
  overflow(): Promise<number> {
    return this.#driver.evaluate('document.documentElement.scrollWidth - innerWidth');
  }

  /** Returns what is to be seen as a PNG, and the address. */
  async picture(): Promise<{ address: string; png: Buffer }> {
    const address = await this.read<string>('location.href');
    return { address, png: Buffer.from(await this.#driver.screenshot(), 'base64') };
  }

  /** Returns the errors so far: those the browser reports, and those the page noted. */
  async errors(): Promise<string[]> {
    const noted = await this.#driver.evaluate<string[]>('notedErrors');
    return [...this.#driver.errors, ...noted].filter((text) => !CUT_OFF.test(text));
  }
}
