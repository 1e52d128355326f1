// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { localToday } from '../../../platform/format/format.ts';
import { store } from '../../../platform/session/session.ts';
import { aUser, type Reply, stubNetwork } from '../../../platform/testing/network.ts';
import { aLine, anOrderOf } from '../../../platform/testing/proposals.ts';
import { goods, one, open, press, startFresh } from '../testing/screens.tsx';
import ShortageDialog from './ShortageDialog.tsx';
import { ShortageRuns } from './ShortageRuns.tsx';
import { runStatesAtom, type ShortageRun, shortageRunsAtom } from './shortage-runs.ts';

// A shortage that is being shared: it shows how far it is, goes on without its dialog, and can be taken up again.

startFresh();
afterEach(() => {
  store.set(shortageRunsAtom, []);
  store.set(runStatesAtom, new Map());
});

const plain = anOrderOf([aLine(1)]);
const outcome = {
  orderId: plain._id,
  lineId: aLine(1)._id,
  customer: { _id: 'c', name: 'Ann' },
  date: '2026-11-05',
  time: '10:00',
  quantity: 4,
  share: 2,
  outcome: 'proposed',
};
const result = one({ batchId: 'b', ordered: 4, outcomes: [outcome] });
const BATCH = '00000000-0000-4000-8000-0000000000f1';
const run: ShortageRun = {
  owner: aUser('farmer')._id,
  product: {
    _id: goods(1)._id,
    name: 'Product 1',
    unit: 'lb',
    unitLabel: undefined,
    isByPiece: false,
  },
  body: {
    productId: goods(1)._id,
    from: '2026-11-05',
    to: '2026-11-05',
    available: 2,
    rule: 'fair',
    reason: 'not_harvested',
    note: '',
    emptiesShelf: true,
    batchId: BATCH,
  },
};
const progress = (done: number, isFinished = false): Reply =>
  one({ _id: BATCH, productId: goods(1)._id, done, total: 60, isFinished });

/** A page that shows the runs, and the dialog until it is closed. */
function Sharing() {
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      <ShortageRuns farmToday={localToday()} />
      {isOpen && (
        <ShortageDialog
          product={goods(1)}
          farmToday={localToday()}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

it('begins with the next day on which orders have the product', async () => {
  stubNetwork({
    'GET /farm/picklist/days': one([{ date: '2026-11-05', orders: 2, pending: 1 }]),
  });
  open('farmer', plain, () => (
    <ShortageDialog product={goods(1)} farmToday={localToday()} onClose={() => {}} />
  ));
  await waitFor(() =>
    expect(screen.getByLabelText<HTMLInputElement>(/^From/).value).toBe('2026-11-05'),
  );
  expect(screen.getByLabelText<HTMLInputElement>(/^To/).value).toBe('2026-11-05');
});

it('shows how far it is, goes on when the dialog is closed, and shows what became of it', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  stubNetwork({
    'GET /farm/picklist/days': one([]),
    'POST /farm/shortages': async ({ body }) => {
      // The preview has no batch.
      if ((body as ShortageRun['body']).batchId !== undefined) await held;
      return result;
    },
  });
  open('farmer', plain, () => <Sharing />);
  await userEvent.type(await screen.findByLabelText(/^How much is there/), '2');
  await press('Share among 1 order');
  await screen.findByRole('dialog', { name: 'Sharing Product 1' });
  // The dialog shows it, and no line behind it says the same.
  expect(screen.getAllByText('Sharing Product 1 …')).toHaveLength(1);
  await press('Continue in the background');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByText('Sharing Product 1 …')).toBeDefined();
  expect(store.get(shortageRunsAtom)).toHaveLength(1);
  release();
  expect(await screen.findByText('Product 1 is shared: 1 order asked.')).toBeDefined();
  await press('Show');
  expect(await screen.findByText('1 order asked.')).toBeDefined();
  expect(screen.queryByText(/^Product 1 is shared:/)).toBeNull();
  await press('Done');
  expect(store.get(shortageRunsAtom)).toEqual([]);
});

it('that breaks off under its open dialog is shown there alone, and goes on from there', async () => {
  let isAway = true;
  stubNetwork({
    'GET /farm/picklist/days': one([]),
    'POST /farm/shortages': ({ body }) =>
      (body as ShortageRun['body']).batchId !== undefined && isAway ? 'no answer' : result,
  });
  open('farmer', plain, () => <Sharing />);
  await userEvent.type(await screen.findByLabelText(/^How much is there/), '2');
  await press('Share among 1 order');
  expect(await screen.findAllByText(/Nothing is done twice/)).toHaveLength(1);
  expect(screen.queryByText(/^Sharing Product 1 stopped/)).toBeNull();
  isAway = false;
  await press('Share among 1 order');
  expect(await screen.findByText('1 order asked.')).toBeDefined();
  expect(screen.queryByText(/^Product 1 is shared:/)).toBeNull();
});

it('that broke off goes on by one press, and keeps its shares', async () => {
  let done = 31;
  const calls = stubNetwork({
    [`GET /farm/shortages/${BATCH}`]: () => progress(done),
    'POST /farm/shortages': () => {
      done = 60;
      return result;
    },
  });
  store.set(shortageRunsAtom, [run]);
  store.set(runStatesAtom, new Map([[BATCH, { status: 'broken', message: 'No line.' }]]));
  open('farmer', plain, () => <ShortageRuns farmToday={localToday()} />);
  expect(
    await screen.findByText(
      'Sharing Product 1 stopped after 31 of 60 orders. Go on, and nothing is done twice.',
    ),
  ).toBeDefined();
  await press('Go on');
  expect(await screen.findByText('Product 1 is shared: 1 order asked.')).toBeDefined();
  expect(calls.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
    run.body,
  ]);
  await press('Got it');
  expect(store.get(shortageRunsAtom)).toEqual([]);
});

it('of an earlier page is shown as it is: on its way, and then done', async () => {
  let isFinished = false;
  stubNetwork({
    [`GET /farm/shortages/${BATCH}`]: () => progress(isFinished ? 60 : 31, isFinished),
  });
  store.set(shortageRunsAtom, [run]);
  open('farmer', plain, () => <ShortageRuns farmToday={localToday()} />);
  expect(await screen.findByText('Product 1: 31 of 60 orders done')).toBeDefined();
  isFinished = true;
  expect(await screen.findByText('Product 1 is shared among 60 orders.')).toBeDefined();
});

it('of somebody else on this browser is not shown', () => {
  stubNetwork({});
  store.set(shortageRunsAtom, [{ ...run, owner: 'somebody' }]);
  open('farmer', plain, () => <ShortageRuns farmToday={localToday()} />);
  expect(screen.queryByText(/Product 1/)).toBeNull();
});
