import type { QueryClient } from '@tanstack/react-query';
import { atom } from 'jotai';
import { productsApi } from '#contract/catalogue/products/constants/products';
import type { Product } from '#contract/catalogue/products/product';
import type { StockChange, StockResult } from '#contract/catalogue/products/products';
import { fromMilli, toMilli } from '#contract/platform/quantities/constants/quantities';
import { goodsKey } from '#contract/platform/quantities/constants/sizes';
import { stepsFrom } from '#contract/platform/quantities/constants/step-fields';
import { floorToStep } from '#contract/platform/quantities/constants/steps';
import { QUANTITY_MAX } from '#contract/platform/quantities/constants/units';
import { t } from '#contract/platform/text/constants/texts';
import { writeTyped } from '#contract/platform/text/constants/typed-numbers';
import { type CallOptions, call } from '../../../platform/api/api.ts';
import { createOutbox } from '../../../platform/offline/outbox.ts';
import { readOwner } from '../../../platform/session/owned.ts';
import { farmIdOf, store, userAtom } from '../../../platform/session/session.ts';
import { toast } from '../../../platform/ui/feedback/toast.ts';
import { mergeProduct } from '../events.ts';
import {
  changeOf,
  isStockEdit,
  readStock,
  type StockEdit,
  type StockRowState,
  stockedOf,
} from './stock-edit.ts';

/** A row saves itself this long after a step, or after a key. */
const STEP_DELAY_MS = 700;
const TYPING_DELAY_MS = 1_500;
const FIRST_RETRY_DELAY_MS = 2_000;
/** What is typed in another tab is left to it for so long. */
const OTHER_TABS_MS = 3_000;
const SAVED_MS = 2_000;

const CLEAN: StockRowState = { quantity: null, price: null, message: '', status: 'clean' };
const SAVED: StockRowState = { ...CLEAN, status: 'saved' };
/** What a row begins with. */
const UNTOUCHED = { quantity: null, price: null, message: '', seen: 0, isTried: false };

/** Sends changes. */
export type SendStock = (changes: StockChange[], options?: CallOptions) => Promise<StockResult[]>;

/** Sends changes to the server. */
export const sendStock: SendStock = async (changes, options) =>
  (await call(productsApi.updateStock, { body: { changes }, ...options })).data;

export type StockSaver = ReturnType<typeof createStockSaver>;

/**
 * Keeps what is typed in the rows of the stock view, and saves each row by itself. A stock is saved
 * against the one that was seen: what is sold at the same moment is never overwritten.
 */
export function createStockSaver(send: SendStock, merge = mergeProduct) {
  // Rows are named by the product, those of a size by both: see `goodsKey`.
  /** What is under way, with the product as it is stored after it. */
  const saving = new Map<string, Promise<Product | undefined>>();
  /** The products whose rows say for a moment that they are saved. */
  const savedAtom = atom<ReadonlySet<string>>(new Set<string>());
  let cache: QueryClient | undefined;

  const isForFarmOf = (user: Parameters<typeof farmIdOf>[0], { farm }: StockEdit) =>
    farm === (farmIdOf(user) ?? null);

  const outbox = createOutbox<StockEdit>({
    key: 'stock-edits',
    isEntry: isStockEdit,
    idOf: goodsKey,
    // Each row is saved by itself, and each size of one.
    laneOf: goodsKey,
    isSendable: (edit, user) => edit.status !== 'refused' && isForFarmOf(user, edit),
    sendAtOf: ({ sendAt }, isOwn) => (isOwn ? sendAt : sendAt + OTHER_TABS_MS),
    whileSending: ({ left, seen }) => ({
      status: 'saving',
      message: '',
      left: undefined,
      seen: left ?? seen,
      isTried: true,
    }),
    whileWaiting: () => ({
      status: 'unsent',
      message: t("Not saved yet. We'll save it when you're back."),
    }),
    // Nobody can change the stock of a farm that they no longer work for.
    onSession: (user) =>
      outbox.update(user._id, (all) => all.filter((edit) => isForFarmOf(user, edit))),
    firstRetryDelayMs: FIRST_RETRY_DELAY_MS,
    send: async (edit, { cache, token, isSignedIn }) => {
      const { left, seen } = edit;
      const key = goodsKey(edit);
      const sent = { ...edit, seen: left ?? seen };
      const change = changeOf(sent);
      if ('problem' in change) return refusal(sent, change.problem);
      if (change.quantityAvailable === undefined && change.price === undefined) return undefined;
      const answer = send([change], { token, keepalive: true, isKept: true });
      const stored = answer.then(([result]) =>
        result && 'product' in result ? result.product : undefined,
      );
      saving.set(
        key,
        stored.catch(() => undefined).finally(() => saving.delete(key)),
      );
      const [result] = await answer;
      if (!result) return undefined;
      const shown = 'product' in result ? result.product : result.current;
      if (shown && isSignedIn()) merge(cache, shown);
      return afterAnswer(sent, result);
    },
    onRefused: (edit, { message }) => refusal(edit, message),
  });

  const rowsAtom = atom(
    (get) => new Map(get(outbox.entriesAtom).map((edit) => [goodsKey(edit), edit])),
  );
  const rowOf = (id: string): StockEdit | undefined => store.get(rowsAtom).get(id);

  /** Returns the changes of a row that was answered; undefined once it is saved. */
  function afterAnswer(sent: StockEdit, result: StockResult): Partial<StockEdit> | undefined {
    // Somebody else may have signed in, who has rows of their own.
    const own = outbox.entriesAtom.of(sent.owner).readStored();
    const row = own.find((each) => goodsKey(each) === goodsKey(sent)) ?? sent;
    if ('product' in result) {
      const quantity = row.quantity === sent.quantity ? null : row.quantity;
      const price = row.price === sent.price ? null : row.price;
      if (quantity === null && price === null) return showSaved(goodsKey(sent));
      const seen = result.product.quantityAvailable;
      const sendAt = Date.now() + STEP_DELAY_MS;
      return { quantity, price, seen, status: 'edited', isTried: false, sendAt };
    }
    const { current, code, message } = result;
    if (code === 'NOT_FOUND' || code === 'FORBIDDEN') {
      // No row shows it.
      toast.error(message);
      return undefined;
    }
    if (!current || row.how !== 'step' || sent.isTried) {
      return refusal(sent, message, current?.quantityAvailable);
    }
    // Steps are relative: they go on from what is left now.
    const soldMilli = toMilli(sent.seen) - toMilli(current.quantityAvailable);
    const targetMilli = toMilli(readStock(row.quantity ?? '', current)) - soldMilli;
    return {
      stocked: stockedOf(current),
      quantity: writeTyped(Math.max(0, floorToStep(fromMilli(targetMilli), current))),
      seen: current.quantityAvailable,
      status: 'edited',
      isTried: false,
      sendAt: 0,
    };
  }

  function showSaved(id: string): undefined {
    const change = (isShown: boolean) => {
      const shown = new Set(store.get(savedAtom));
      if (isShown) shown.add(id);
      else shown.delete(id);
      store.set(savedAtom, shown);
    };
    change(true);
    setTimeout(() => change(false), SAVED_MS);
  }

  function edit(product: Product, delayMs: number, change: Partial<StockEdit>): void {
    const user = store.get(userAtom);
    if (!user || !cache) return;
    const row = rowOf(goodsKey({ product: product._id, size: change.size }));
    outbox.add(cache, {
      ...UNTOUCHED,
      how: 'typed',
      status: 'edited',
      ...row,
      ...change,
      product: product._id,
      owner: user._id,
      farm: farmIdOf(user) ?? null,
      stocked: stockedOf(product),
      // Typed after the present stock was shown, so it replaces that one.
      ...(row?.left === undefined ? {} : { seen: row.left }),
      // What is edited while the row is saving is saved after the answer.
      ...(row?.status === 'saving' ? {} : { status: 'edited', message: '', left: undefined }),
      sendAt: Date.now() + delayMs,
    });
  }

  /**
   * Saves everything that is edited or had no answer.
   * @returns the products that were stored, also those whose saving was under way, once all are answered or failed
   */
  async function saveAll(): Promise<Product[]> {
    outbox.flush();
    const stored = await Promise.all(saving.values());
    return stored.filter((product) => product !== undefined);
  }

  return {
    saveAll,
    editsAtom: outbox.entriesAtom,
    stop: outbox.stop,

    /** Sends what is typed from now on, also for a user who signs in later. */
    watch(client: QueryClient): () => void {
      cache = client;
      return outbox.watch(client);
    },

    subscribe(listener: () => void): () => void {
      const stops = [store.sub(rowsAtom, listener), store.sub(savedAtom, listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },

    /** Returns a row's state; the same object until it changes. */
    get: (id: string): StockRowState => rowOf(id) ?? (store.get(savedAtom).has(id) ? SAVED : CLEAN),

    /** Returns whether something was refused. */
    hasProblem: (): boolean =>
      store.get(outbox.entriesAtom).some(({ status }) => status === 'refused'),

    /** Takes what is typed as the stock, which was `seen` before. */
    typeQuantity(product: Product, text: string, seen: number): void {
      const row = rowOf(product._id) ?? { ...UNTOUCHED, how: 'typed' };
      edit(product, TYPING_DELAY_MS, {
        quantity: text,
        seen: row.quantity === null ? seen : row.seen,
        how: 'typed',
      });
    },

    /** Raises or lowers the stock by so many of the product's steps, never below 0. */
    step(product: Product, by: number): void {
      const row = rowOf(product._id) ?? { ...UNTOUCHED, how: 'typed' };
      const before =
        row.quantity === null ? product.quantityAvailable : readStock(row.quantity, product);
      // What is sold in sizes has a stock of any thousandths, which nobody counts one by one.
      const after = stepsFrom(before || 0, by, product.sizes ? {} : product);
      const target = Math.min(floorToStep(QUANTITY_MAX, product), Math.max(0, after));
      edit(product, STEP_DELAY_MS, {
        quantity: writeTyped(target),
        seen: row.quantity === null ? product.quantityAvailable : row.seen,
        how: row.quantity === null || row.how === 'step' ? 'step' : 'typed',
      });
    },

    /** Sets the stock to 0, at once; until the next morning, if so, when what is there now returns. */
    sellOut(product: Product, until?: 'morning'): void {
      edit(product, 0, {
        quantity: '0',
        how: until === 'morning' ? 'untilMorning' : 'soldOut',
        seen: product.quantityAvailable,
      });
    },

    /** Takes what is typed as the price, of a size where there are some. */
    typePrice: (product: Product, text: string, size?: string): void =>
      edit(product, TYPING_DELAY_MS, { price: text, ...(size !== undefined && { size }) }),

    /** Saves a row now, also over the stock that it was refused for. */
    async save(id: string): Promise<void> {
      const row = rowOf(id);
      if (!row) return;
      if (row.status === 'refused') outbox.patch(id, row.owner, { status: 'edited' });
      outbox.flush((each) => goodsKey(each) === id);
      await saving.get(id);
    },

    /** Shows the row as it is stored again. */
    discard: (id: string): void => outbox.remove(id, readOwner()),

    /** Shows all refused rows as they are stored again. */
    discardRefused: (): void =>
      outbox.update(readOwner(), (all) => all.filter(({ status }) => status !== 'refused')),
  };
}

/** What the signed-in person types in the stock view. */
export const stockSaver = createStockSaver(sendStock);

/** Returns how a row shows why it was not saved; what was tried before is not decided by that. */
const refusal = ({ isTried }: StockEdit, message: string, left?: number): Partial<StockEdit> => ({
  status: 'refused',
  message,
  left,
  isTried,
});
