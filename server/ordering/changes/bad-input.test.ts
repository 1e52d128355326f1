import { randomUUID } from 'node:crypto';
import { PROPOSAL_NOTE_MAX } from '#contract/ordering/changes/constants';
import { LINES_MAX } from '#contract/platform/orders/constants';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { type Call, type Known, lineOf, testRefusals } from './testing/bad-input.ts';

// What a proposal, an answer, a wish, a shortage and a new list cannot say.

const DAY = addDays(dayIn('UTC'), 1);
const id = randomUUID();
const LONG = 'n'.repeat(PROPOSAL_NOTE_MAX + 1);
const removal = (lineId: string, over: object = {}) => ({
  lineId,
  action: 'remove',
  reason: 'other',
  ...over,
});

const changePath = ({ _id, openChange }: Known['waiting']) =>
  `/orders/${_id}/changes/${openChange?._id}`;

const shortage = ({ kale }: Known, over: object = {}) => ({
  productId: kale,
  from: DAY,
  to: DAY,
  available: 1,
  rule: 'fair',
  ...over,
});

const calls: Record<string, Call> = {
  'a proposal': {
    method: 'POST',
    path: ({ order }) => `/orders/${order._id}/changes`,
    as: 'farmer',
    bad: [
      {
        what: 'with one good and one bad line',
        body: ({ order, other }) => ({ items: [removal(lineOf(order)), removal(lineOf(other))] }),
      },
      {
        what: 'with too many lines',
        body: () => ({
          items: Array.from({ length: LINES_MAX + 1 }, () => removal(randomUUID())),
        }),
      },
      {
        what: 'of half a piece',
        body: ({ order }) => ({
          items: [removal(lineOf(order), { action: 'reduce', newQuantity: 0.5 })],
        }),
      },
      {
        what: 'with too long a note',
        body: ({ order }) => ({ items: [removal(lineOf(order))], note: LONG }),
      },
      {
        what: 'for another version',
        status: 409,
        body: ({ order }) => ({ items: [removal(lineOf(order))], expectedVersion: 77 }),
      },
      {
        what: 'while another is open',
        status: 409,
        path: ({ waiting }) => `/orders/${waiting._id}/changes`,
        body: ({ waiting }) => ({ items: [removal(lineOf(waiting))] }),
      },
      {
        what: 'on an order of another farm',
        status: 404,
        path: ({ other }) => `/orders/${other._id}/changes`,
        body: ({ other }) => ({ items: [removal(lineOf(other))] }),
      },
    ],
  },
  'an answer': {
    method: 'PUT',
    path: ({ waiting }) => `${changePath(waiting)}/answer`,
    as: 'consumer',
    bad: [
      {
        what: 'that answers and cancels at once',
        body: ({ waiting }) => ({
          items: waiting.openChange?.items.map(({ lineId }) => ({ lineId, answer: 'accept' })),
          cancelOrder: true,
        }),
      },
      { what: 'that cancels and answers nothing', body: () => ({ items: [], cancelOrder: true }) },
      { what: 'that cancels with other items', body: () => ({ items: null, cancelOrder: true }) },
      {
        what: 'to an unknown change',
        status: 404,
        path: ({ waiting }) => `/orders/${waiting._id}/changes/${id}/answer`,
        body: () => ({ cancelOrder: true }),
      },
      {
        what: 'to a change of another order',
        status: 404,
        path: ({ order, waiting }) =>
          `/orders/${order._id}/changes/${waiting.openChange?._id}/answer`,
        body: () => ({ cancelOrder: true }),
      },
    ],
  },
  'a withdrawal': {
    method: 'DELETE',
    path: ({ waiting }) => changePath(waiting),
    as: 'farmer',
    bad: [
      {
        what: 'of a change of another order',
        status: 404,
        path: ({ order, waiting }) => `/orders/${order._id}/changes/${waiting.openChange?._id}`,
        body: () => undefined,
      },
      {
        what: 'of an id that is none',
        status: 404,
        path: ({ waiting }) => `/orders/${waiting._id}/changes/that`,
        body: () => undefined,
      },
    ],
  },
  'a wish': {
    method: 'PUT',
    path: ({ order }) => `/orders/${order._id}/lines/${lineOf(order)}/preference`,
    as: 'consumer',
    bad: [
      { what: 'for one that is not named', body: () => ({ onShort: 'specific' }) },
      {
        what: 'for an unknown product',
        body: () => ({ onShort: 'specific', preferredProduct: id }),
      },
      {
        what: "for another farm's product",
        body: ({ theirs }) => ({ onShort: 'specific', preferredProduct: theirs }),
      },
      {
        what: 'for another version',
        status: 409,
        body: () => ({ onShort: 'leave_out', expectedVersion: 77 }),
      },
      {
        what: 'for a line of another order',
        status: 404,
        path: ({ order, waiting }) => `/orders/${order._id}/lines/${lineOf(waiting)}/preference`,
        body: () => ({ onShort: 'leave_out' }),
      },
    ],
  },
  'a shortage': {
    method: 'POST',
    path: () => '/farm/shortages',
    as: 'farmer',
    bad: [
      {
        what: 'of an unknown product',
        status: 404,
        body: (all) => shortage(all, { productId: id }),
      },
      {
        what: "of another farm's product",
        status: 404,
        body: (all) => shortage(all, { productId: all.theirs }),
      },
      { what: 'of days out of order', body: (all) => shortage(all, { to: addDays(DAY, -1) }) },
      { what: 'with too much', body: (all) => shortage(all, { available: 1_000_001 }) },
      { what: 'too fine', body: (all) => shortage(all, { available: 0.0001 }) },
      { what: 'by hand without shares', body: (all) => shortage(all, { rule: 'manual' }) },
      {
        what: 'by hand for an order of other days',
        body: (all) =>
          shortage(all, { rule: 'manual', shares: [{ orderId: all.other._id, quantity: 1 }] }),
      },
      {
        what: 'by hand for a line of another order',
        body: (all) =>
          shortage(all, {
            rule: 'manual',
            shares: [{ orderId: all.order._id, lineId: lineOf(all.waiting), quantity: 1 }],
          }),
      },
      {
        what: 'by hand with more than is there',
        body: (all) =>
          shortage(all, { rule: 'manual', shares: [{ orderId: all.order._id, quantity: 2 }] }),
      },
      {
        what: 'by hand with an order twice',
        body: (all) =>
          shortage(all, {
            rule: 'manual',
            shares: [1, 0].map((quantity) => ({ orderId: all.order._id, quantity })),
          }),
      },
      { what: 'with too long a note', body: (all) => shortage(all, { note: LONG }) },
    ],
  },
  'a new list': {
    method: 'PUT',
    path: ({ order }) => `/orders/${order._id}/items`,
    as: 'consumer',
    bad: [
      {
        what: 'with a product twice',
        body: ({ kale }) => ({ items: [1, 2].map((quantity) => ({ product: kale, quantity })) }),
      },
      { what: 'of none of it', body: ({ kale }) => ({ items: [{ product: kale, quantity: 0 }] }) },
      {
        what: 'of half a piece',
        status: 400,
        body: ({ chicken }) => ({ items: [{ product: chicken, quantity: 2.5 }] }),
      },
      {
        what: 'of more than there is beside less of another',
        status: 409,
        body: ({ kale, chicken }) => ({
          items: [
            { product: chicken, quantity: 1 },
            { product: kale, quantity: 9999 },
          ],
        }),
      },
      {
        what: "with another farm's product",
        status: 409,
        body: ({ kale, theirs }) => ({
          items: [
            { product: kale, quantity: 1 },
            { product: theirs, quantity: 1 },
          ],
        }),
      },
      {
        what: 'at another price',
        status: 409,
        body: ({ kale }) => ({ items: [{ product: kale, quantity: 4, price: 0.01 }] }),
      },
      {
        what: 'for another version',
        status: 409,
        body: ({ kale }) => ({ items: [{ product: kale, quantity: 1 }], expectedVersion: 77 }),
      },
      {
        what: 'while a change is open',
        status: 409,
        path: ({ waiting }) => `/orders/${waiting._id}/items`,
        body: ({ kale }) => ({ items: [{ product: kale, quantity: 1 }] }),
      },
    ],
  },
};

testRefusals(calls);
