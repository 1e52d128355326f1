// @vitest-environment happy-dom

import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from '#contract/platform/http/zod';
import { readDraft, saveDraft } from '../../offline/drafts.ts';
import { closeSession, store, tokenAtom, userAtom } from '../../session/session.ts';
import { aToken, aUser } from '../../testing/network.ts';
import { LeaveGuard } from '../dialogs/LeaveGuard.tsx';
import { Input } from '../fields/Field.tsx';
import { Button } from '../primitives/Button.tsx';
import { useDialogText, useDraftText } from './draft.tsx';
import { Form, FormField, useZodForm } from './form.tsx';

const Box = z.object({
  name: z.string(),
  place: z.object({ city: z.string(), street: z.string() }),
  tags: z.array(z.string()),
  secret: z.string(),
});
type Box = z.infer<typeof Box>;
const SAVED: Box = {
  name: 'Beets',
  place: { city: 'Bath', street: '1 Mill Lane' },
  tags: [],
  secret: '',
};
const ADA = { ...aUser('consumer'), _id: 'ada' };
const NOTE = 'Restored what you had typed.';

type Submit = (values: Box, show: (saved: Box) => void) => unknown;

function BoxForm({ box = SAVED, onSubmit = () => undefined }: { box?: Box; onSubmit?: Submit }) {
  const form = useZodForm(Box, { defaultValues: box });
  return (
    <Form
      form={form}
      onSubmit={onSubmit}
      label="Box"
      draftKey="box:1"
      draftWithout={['secret', 'place.street']}
    >
      {(['name', 'place.city', 'place.street', 'secret'] as const).map((name) => (
        <FormField key={name} form={form} name={name} label={name}>
          {(field) => <Input {...field} />}
        </FormField>
      ))}
      <button type="submit">Save</button>
      <button type="reset">Cancel</button>
      <a href="/elsewhere">Elsewhere</a>
      <LeaveGuard when={form.formState.isDirty} />
    </Form>
  );
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const type = (name: string, text: string) => userEvent.type(field(name), text);
const stored = (key = 'box:1') => readDraft(key, 'ada');
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

/** Opens the form as after a reload. */
function open(props: Parameters<typeof BoxForm>[0] = {}) {
  cleanup();
  render(<BoxForm {...props} />);
}

beforeEach(() => {
  localStorage.clear();
  store.set(tokenAtom, aToken);
  store.set(userAtom, ADA);
});
afterEach(cleanup);

describe('a form with a draft', () => {
  it('stores the fields that were changed, without those that it leaves out', async () => {
    open();
    await type('place.city', ' Spa');
    await type('secret', '1234');
    await type('place.street', ' b');
    expect(stored()).toEqual({ 'place.city': 'Bath Spa' });
  });

  it('stores nothing once a field is as it was', async () => {
    open();
    await type('name', 'x{Backspace}');
    expect(stored()).toBeUndefined();
  });

  it('restores them when it opens again, over what was saved since', async () => {
    open();
    await type('place.city', ' Spa');
    open({ box: { ...SAVED, name: 'Red beets', place: { city: 'Exeter', street: '' } } });
    await screen.findByText(NOTE);
    expect(field('place.city').value).toBe('Bath Spa');
    expect(field('name').value).toBe('Red beets');
  });

  it('shows nothing where the same was saved since', async () => {
    open();
    await type('name', '!');
    open({ box: { ...SAVED, name: 'Beets!' } });
    await act(async () => undefined);
    expect(screen.queryByText(NOTE)).toBeNull();
  });

  it('leaves what another release stored of another kind', async () => {
    saveDraft('box:1', { name: 5, tags: 'red', 'place.city': 'Exeter', gone: 'x' });
    const sent: Box[] = [];
    open({ onSubmit: (values) => sent.push(values) });
    await screen.findByText(NOTE);
    await press('Save');
    expect(sent).toEqual([{ ...SAVED, place: { ...SAVED.place, city: 'Exeter' } }]);
  });

  it('shows what is saved once it is discarded, and has nothing left', async () => {
    saveDraft('box:1', { name: 'Kale' });
    open();
    await screen.findByText(NOTE);
    await press('Discard');
    expect(field('name').value).toBe('Beets');
    expect(document.activeElement).toBe(field('name'));
    expect(screen.queryByText(NOTE)).toBeNull();
    expect(stored()).toBeUndefined();
  });

  it('has nothing left once it is saved, and what is typed after that again', async () => {
    open();
    await type('name', '!');
    await press('Save');
    expect(stored()).toBeUndefined();
    await type('name', '?');
    expect(stored()).toEqual({ name: 'Beets!?' });
  });

  it('keeps what was typed since it was sent, where the form shows what was saved', async () => {
    let answer = () => {};
    const onSubmit: Submit = async (values, show) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      show(values);
    };
    open({ onSubmit });
    await type('name', '!');
    await press('Save');
    await type('place.city', ' Spa');
    await act(async () => answer());
    expect(stored()).toEqual({ 'place.city': 'Bath Spa' });
  });

  it.each([
    ['fails', () => Promise.reject(new Error('No.'))],
    ['asks and is not answered', () => false],
  ])('stays while saving %s', async (_, onSubmit) => {
    const rejected = new Promise((resolve) => process.once('unhandledRejection', resolve));
    open({ onSubmit });
    await type('name', '!');
    await press('Save');
    if (_ === 'fails') await rejected;
    expect(stored()).toEqual({ name: 'Beets!' });
  });

  it('is discarded by a button that cancels', async () => {
    open();
    await type('name', '!');
    await press('Cancel');
    expect(stored()).toBeUndefined();
  });

  it('is discarded when somebody leaves without saving, and kept while they stay', async () => {
    open();
    await type('name', '!');
    await userEvent.click(screen.getByText('Elsewhere'));
    await press('Keep editing');
    expect(stored()).toEqual({ name: 'Beets!' });
    await userEvent.click(screen.getByText('Elsewhere'));
    await press('Leave');
    expect(stored()).toBeUndefined();
  });

  it('is kept for each farm that somebody works for', async () => {
    const workAt = (farmId: string) =>
      store.set(userAtom, { ...ADA, role: 'farmer', membership: { farmId, role: 'manager' } });
    workAt('north');
    open();
    await type('name', '!');
    workAt('south');
    open();
    expect(field('name').value).toBe('Beets');
    workAt('north');
    open();
    await screen.findByText(NOTE);
  });
});

describe('a form in a dialog', () => {
  const inDialog = () =>
    render(
      <div role="dialog">
        <BoxForm />
      </div>,
    );

  it('is discarded when the dialog is closed', async () => {
    const { unmount } = inDialog();
    await type('name', '!');
    unmount();
    await act(async () => undefined);
    expect(stored()).toBeUndefined();
  });

  it('stays when the session ends with it', async () => {
    const { unmount } = inDialog();
    await type('name', '!');
    closeSession(false);
    unmount();
    await act(async () => undefined);
    expect(stored()).toEqual({ name: 'Beets!' });
  });
});

type ReasonProps = { useText: typeof useDraftText; initial?: string };

function Reason({ useText, initial }: ReasonProps) {
  const [text, setText, note] = useText('reason', initial);
  return (
    <>
      {note}
      <input aria-label="Reason" value={text} onChange={({ target }) => setText(target.value)} />
      <Button onClick={() => setText('')}>Send</Button>
    </>
  );
}

describe.each([
  ['a text', useDraftText],
  ['a text of a dialog', useDialogText],
])('%s', (kind, useText) => {
  it('is restored, discarded, and gone once it is sent', async () => {
    saveDraft('reason', { text: 'Too late' });
    render(<Reason useText={useText} />);
    expect(field('Reason').value).toBe('Too late');
    expect(screen.queryByText(NOTE)).not.toBeNull();
    await press('Discard');
    expect(field('Reason').value).toBe('');
    expect(stored('reason')).toBeUndefined();
    await type('Reason', 'Rain');
    expect(stored('reason')).toEqual({ text: 'Rain' });
    await press('Send');
    expect(stored('reason')).toBeUndefined();
  });

  it('begins with what is there already, which is no draft', async () => {
    render(<Reason useText={useText} initial="Hail" />);
    expect(field('Reason').value).toBe('Hail');
    await type('Reason', '!');
    expect(stored('reason')).toEqual({ text: 'Hail!' });
    await type('Reason', '{Backspace}');
    expect(stored('reason')).toBeUndefined();
  });

  it(`${kind === 'a text' ? 'stays' : 'is discarded'} when it is closed`, async () => {
    const { unmount } = render(<Reason useText={useText} />);
    await type('Reason', 'Rain');
    unmount();
    await act(async () => undefined);
    expect(stored('reason')).toEqual(kind === 'a text' ? { text: 'Rain' } : undefined);
  });
});
