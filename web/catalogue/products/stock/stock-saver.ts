import { priceLimits } from '#contract/catalogue/products/constants/prices';
import { productsApi } from '#contract/catalogue/products/constants/products';
import type { Product } from '#contract/catalogue/products/product';
import {
  ProductFields,
  type StockChange,
  type StockResult,
} from '#contract/catalogue/products/products';
import {
  formatQuantity,
  fromMilli,
  toMilli,
} from '#contract/platform/quantities/constants/quantities';
import {
  floorToStep,
  isOfSteps,
  quantityLimits,
  type Stocked,
  stepOf,
  stepsFrom,
} from '#contract/platform/quantities/constants/steps';
import { QUANTITY_MAX } from '#contract/platform/quantities/constants/units';
import { Stock } from '#contract/platform/quantities/quantity';
import { readTyped, writeTyped } from '#contract/platform/text/constants/typed-numbers';
import { call } from '../../../platform/api/api.ts';
import { ApiError, errorMessage } from '../../../platform/api/api-error.ts';

/** A row saves itself this long after a step, or after a key. */
const STEP_DELAY_MS = 700;
const TYPING_DELAY_MS = 1_500;
const RETRY_MS = 4_000;
const SAVED_MS = 2_000;

/** What a row shows beyond the product as it is stored. */
export type StockRowState = {
  /** The stock and the price as typed; null while they are as stored. */
  quantity: string | null;
  price: string | null;
  /**
   * `unsent`: there was no answer, it is sent again by itself. `refused`: `message` says why;
   * `left` is the present stock if another one was seen.
   */
  status: 'clean' | 'edited' | 'saving' | 'saved' | 'unsent' | 'refused';
  message: string;
  left?: number | undefined;
};

type Row = StockRowState & {
  /** The product as it was when the row was edited last; null before that. */
  product: Product | null;
  /** The stock that the typed one replaces. */
  seen: number;
  /** The stock was only stepped, not typed, so that it can follow what is sold meanwhile. */
  isStep: boolean;
  /** 0 by decision, whatever the stock was. */
  isSoldOut: boolean;
  /** 0 until the next morning. */
  isUntilMorning: boolean;
  /** A change may have been made although its answer was lost. */
  isUnconfirmed: boolean;
  timer?: ReturnType<typeof setTimeout>;
};

const CLEAN: Row = {
  product: null,
  quantity: null,
  price: null,
  status: 'clean',
  message: '',
  seen: 0,
  isStep: false,
  isSoldOut: false,
  isUntilMorning: false,
  isUnconfirmed: false,
};

/** Reads a stock as it is typed. */
export const readStock = (text: string, product: Stocked): number =>
  readTyped(text, quantityLimits(product)).value;

/** Sends changes; `keepalive` lets the request outlive the page. */
export type SendStock = (changes: StockChange[], keepalive: boolean) => Promise<StockResult[]>;

/** Sends changes to the server. */
export const sendStock: SendStock = async (changes, keepalive) =>
  (await call(productsApi.updateStock, { body: { changes }, keepalive })).data;

/**
 * Keeps what is typed in the rows of the stock view, and saves each row by itself. A stock is saved
 * against the one that was seen: what is sold at the same moment is never overwritten.
 */
export class StockSaver {
  readonly #send: SendStock;
  readonly #merge: (product: Product) => void;
  readonly #rows = new Map<string, Row>();
  /** What is under way, with the product as it is stored after it. */
  readonly #saving = new Map<string, Promise<Product | undefined>>();
  readonly #listeners = new Set<() => void>();

  constructor(send: SendStock, merge: (product: Product) => void) {
    this.#send = send;
    this.#merge = merge;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns a row's state; the same object until it changes. */
  get(id: string): StockRowState {
    return this.#rows.get(id) ?? CLEAN;
  }

  /** Returns whether something could not be saved. */
  readonly hasProblem = (): boolean =>
    [...this.#rows.values()].some(({ status }) => status === 'unsent' || status === 'refused');

  /** Takes what is typed as the stock, which was `seen` before. */
  typeQuantity(product: Product, text: string, seen: number): void {
    const row = this.#row(product);
    this.#edit(product, TYPING_DELAY_MS, {
      quantity: text,
      seen: row.quantity === null ? seen : row.seen,
      isStep: false,
      isSoldOut: false,
      isUntilMorning: false,
    });
  }

  /** Raises or lowers the stock by so many of the product's steps, never below 0. */
  step(product: Product, by: number): void {
    const row = this.#row(product);
    const before =
      row.quantity === null ? product.quantityAvailable : readStock(row.quantity, product);
    const after = stepsFrom(before || 0, by, product);
    const target = Math.min(floorToStep(QUANTITY_MAX, product), Math.max(0, after));
    this.#edit(product, STEP_DELAY_MS, {
      quantity: writeTyped(target),
      seen: row.quantity === null ? product.quantityAvailable : row.seen,
      isStep: row.quantity === null || row.isStep,
      isSoldOut: false,
      isUntilMorning: false,
    });
  }

  /** Sets the stock to 0, at once; until the next morning, if so, when what is there now returns. */
  sellOut(product: Product, until?: 'morning'): void {
    this.#edit(product, 0, {
      quantity: '0',
      isStep: false,
      isSoldOut: until === undefined,
      isUntilMorning: until === 'morning',
      seen: product.quantityAvailable,
    });
  }

  /** Takes what is typed as the price. */
  typePrice(product: Product, text: string): void {
    this.#edit(product, TYPING_DELAY_MS, { price: text });
  }

  /** Saves a row now, also over the stock that it was refused for. */
  async save(id: string, keepalive = false): Promise<void> {
    const row = this.#rows.get(id);
    if (!row || row.status === 'saving') return;
    clearTimeout(row.timer);
    const seen = row.left ?? row.seen;
    const sent = { ...row, seen };
    const change = changeOf(id, sent);
    if ('problem' in change) {
      this.#set(id, { status: 'refused', message: change.problem });
      return;
    }
    if (Object.keys(change).length === 1) {
      this.discard(id);
      return;
    }
    this.#set(id, { status: 'saving', message: '', left: undefined, seen });
    const saving = this.#sendRow(id, sent, change, keepalive);
    this.#saving.set(id, saving);
    await saving;
  }

  async #sendRow(id: string, sent: Row, change: StockChange, keepalive: boolean) {
    try {
      const [result] = await this.#send([change], keepalive);
      this.#saving.delete(id);
      if (result) this.#take(id, sent, result);
      return result && 'product' in result ? result.product : undefined;
    } catch (error) {
      this.#saving.delete(id);
      this.#fail(id, error);
      return undefined;
    }
  }

  /** Shows the row as it is stored again. */
  discard(id: string): void {
    clearTimeout(this.#rows.get(id)?.timer);
    this.#rows.delete(id);
    this.#notify();
  }

  /**
   * Saves everything that is edited or had no answer.
   * @returns the products that were stored, also those whose saving was under way, once all are answered or failed
   */
  async saveAll(keepalive = false): Promise<Product[]> {
    for (const [id, { status }] of this.#rows) {
      if (status === 'edited' || status === 'unsent') void this.save(id, keepalive);
    }
    const stored = await Promise.all(this.#saving.values());
    return stored.filter((product) => product !== undefined);
  }

  #row({ _id }: Product): Row {
    return this.#rows.get(_id) ?? CLEAN;
  }

  #set(id: string, change: Partial<Row>): void {
    this.#rows.set(id, { ...(this.#rows.get(id) ?? CLEAN), ...change });
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  #edit(product: Product, delayMs: number, change: Partial<Row>): void {
    const id = product._id;
    const before = this.#rows.get(id);
    const isSaving = before?.status === 'saving';
    clearTimeout(before?.timer);
    this.#set(id, {
      ...change,
      product,
      // Typed after the present stock was shown, so it replaces that one.
      ...(before?.left === undefined ? {} : { seen: before.left }),
      ...(isSaving ? {} : { status: 'edited', message: '', left: undefined }),
    });
    // What is edited while the row is saving is saved after the answer.
    if (!isSaving) this.#schedule(id, delayMs);
  }

  #schedule(id: string, delayMs: number): void {
    this.#set(id, { timer: setTimeout(() => void this.save(id), delayMs) });
  }

  #take(id: string, sent: Row, result: StockResult): void {
    const row = this.#rows.get(id) ?? CLEAN;
    if ('product' in result) {
      this.#merge(result.product);
      const quantity = row.quantity === sent.quantity ? null : row.quantity;
      const price = row.price === sent.price ? null : row.price;
      const isDone = quantity === null && price === null;
      const timer = isDone
        ? setTimeout(() => this.discard(id), SAVED_MS)
        : setTimeout(() => void this.save(id), STEP_DELAY_MS);
      this.#set(id, {
        quantity,
        price,
        seen: result.product.quantityAvailable,
        isUnconfirmed: false,
        status: isDone ? 'saved' : 'edited',
        timer,
      });
      return;
    }
    const { current } = result;
    if (current) this.#merge(current);
    if (current && row.isStep && !row.isUnconfirmed) {
      // Steps are relative: they go on from what is left now.
      const soldMilli = toMilli(sent.seen) - toMilli(current.quantityAvailable);
      const targetMilli = toMilli(readStock(row.quantity ?? '', current)) - soldMilli;
      this.#set(id, {
        product: current,
        quantity: writeTyped(Math.max(0, floorToStep(fromMilli(targetMilli), current))),
        seen: current.quantityAvailable,
        status: 'edited',
      });
      void this.save(id);
      return;
    }
    this.#set(id, {
      status: 'refused',
      message: result.message,
      left: current?.quantityAvailable,
    });
  }

  #fail(id: string, error: unknown): void {
    const isTemporary =
      error instanceof ApiError &&
      (error.status === 0 || error.status === 429 || error.status >= 500);
    if (!isTemporary) {
      this.#set(id, { status: 'refused', message: errorMessage(error) });
      return;
    }
    const delayMs = (error.retryAfter ?? 0) * 1000 || RETRY_MS;
    this.#set(id, {
      status: 'unsent',
      isUnconfirmed: true,
      message: "Not saved yet. We'll save it when you're back.",
      timer: setTimeout(() => void this.save(id), delayMs),
    });
  }
}

/** What is wrong with a text that stands for one of two numbers, between which the row asks. */
const CHOOSE = { problem: 'Choose what you mean.' };

/** The change that a row asks for, with no more than its product if there is none, or what is wrong. */
function changeOf(
  id: string,
  { product, quantity, price, seen, isSoldOut, isUntilMorning }: Row,
): StockChange | { problem: string } {
  const change: StockChange = { product: id };
  if (quantity !== null && product) {
    const { value, question } = readTyped(quantity, quantityLimits(product));
    if (question) return CHOOSE;
    const parsed = Stock.safeParse(value);
    // What is there already may be between two steps.
    const fits = parsed.success && (parsed.data === seen || isOfSteps(parsed.data, product));
    if (!fits) return { problem: stockHint(product) };
    change.quantityAvailable = parsed.data;
    if (!isSoldOut) change.seen = seen;
    if (isUntilMorning) change.untilMorning = true;
  }
  if (price !== null) {
    const { value, question } = readTyped(price, priceLimits());
    if (question) return CHOOSE;
    const parsed = ProductFields.shape.price.safeParse(value);
    if (!parsed.success) return { problem: parsed.error.issues[0]?.message ?? '' };
    change.price = parsed.data;
  }
  return change;
}

/** Says which numbers can be entered as a product's stock. */
function stockHint(product: Product): string {
  const step = stepOf(product);
  if (step === 1) return 'Enter a whole number.';
  const example = formatQuantity(fromMilli(toMilli(step) * 5), product.unit);
  return `Enter a multiple of ${formatQuantity(step, product.unit)}, such as ${example}.`;
}
