// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_PLAN, type EscalationStep } from '#contract/ordering/attention/constants';
import { dayIn } from '#contract/platform/time/constants';
import { Providers } from '../../../app/Providers.tsx';
import { store, tokenAtom, userAtom } from '../../../platform/session/session.ts';
import { aPlan } from '../../../platform/testing/attentions.ts';
import { aToken, aUser, type Reply, stubNetwork } from '../../../platform/testing/network.ts';
import { AlertsPart } from './AlertsPart.tsx';
import { PlanInput, startOfDay, toPlan, toPlanInput } from './plan-form.ts';
import { describeRest, describeStep } from './plan-words.ts';

const user = aUser('farmer');
const ann = { _id: '00000000-0000-4000-8000-0000000000aa', name: 'Ann Miller' };
const one = (data: unknown): Reply => ({ status: 200, body: { success: true, data } });

const open = (role: 'owner' | 'packer' = 'owner') =>
  render(
    <Providers>
      <AlertsPart
        me={{ ...user, membership: { farmId: user._id, role } }}
        people={[ann]}
        timeZone="Asia/Karachi"
        pushSwitch={<p>The switch for push</p>}
      />
    </Providers>,
  );

beforeEach(() => {
  store.set(tokenAtom, aToken);
  store.set(userAtom, user);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('the form', () => {
  it('saves steps in order of time, for one person too, over the version that was read', async () => {
    const calls = stubNetwork({
      'GET /farm/escalation': one(aPlan({ version: 3 })),
      'PUT /farm/escalation': one(aPlan({ version: 4 })),
    });
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Add a step' }));
    const step = screen.getByRole('group', { name: 'Step 5' });
    const after = within(step).getByLabelText(/^After/);
    await userEvent.clear(after);
    await userEvent.type(after, '30');
    await userEvent.selectOptions(within(step).getByLabelText('Unit'), 'seconds');
    await userEvent.selectOptions(within(step).getByLabelText('Who'), 'Ann Miller');
    expect(screen.getByText('After 30 seconds: a push message to Ann Miller.')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Remove step 4' }));
    await userEvent.click(screen.getByLabelText(/^Pause the shop/));
    await userEvent.click(screen.getByLabelText(/^Quiet hours/));
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    const [first, second, third] = DEFAULT_PLAN.steps;
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
        steps: [
          first,
          { afterSeconds: 30, to: 'user', user: ann._id, channels: ['push'] },
          second,
          third,
        ],
        rounds: 2,
        ackMinutes: 30,
        quietHours: null,
        pauseAfter: 3,
        silentUntil: null,
        expectedVersion: 3,
      }),
    );
  });

  it('says what is wrong before it asks the server', async () => {
    const calls = stubNetwork({ 'GET /farm/escalation': one(aPlan()) });
    open();
    const step = await screen.findByRole('group', { name: 'Step 2' });
    await userEvent.click(within(step).getByLabelText('Push'));
    const to = screen.getByLabelText(/^To/);
    await userEvent.clear(to);
    await userEvent.type(to, '21:00');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Choose at least one way to be told.');
    expect(screen.getByText('Quiet hours end at another time than they begin.')).toBeTruthy();
    expect(calls.some(({ method }) => method === 'PUT')).toBe(false);
  });

  it('keeps what somebody else changed meanwhile, and shows what both changed', async () => {
    const theirs = aPlan({ version: 2, rounds: 5, ackMinutes: 10 });
    let tries = 0;
    const calls = stubNetwork({
      'GET /farm/escalation': one(aPlan()),
      'PUT /farm/escalation': () => {
        tries += 1;
        if (tries > 1) return one(aPlan({ version: 3, rounds: 4, ackMinutes: 10 }));
        return {
          status: 409,
          body: { success: false, message: 'Changed', code: 'VERSION_CONFLICT', data: theirs },
        };
      },
    });
    open();
    const rounds = await screen.findByLabelText(/^How many times/);
    await userEvent.clear(rounds);
    await userEvent.type(rounds, '4');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('This is 5 by now. Save again to keep your entry.');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(calls.findLast(({ method }) => method === 'PUT')?.body).toMatchObject({
        rounds: 4,
        ackMinutes: 10,
        expectedVersion: 2,
      }),
    );
  });

  it('is read by who may not change the farm, who tries it out and is off as anybody', async () => {
    const calls = stubNetwork({
      'GET /farm/escalation': one(aPlan()),
      'POST /farm/escalation/test': one(null),
      'PUT /attention/off': one({ offUntil: '2099-01-01T19:00:00.000Z' }),
    });
    open('packer');
    const save = await screen.findByText('Your role on this farm does not include changing it.');
    expect(save).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
    expect(
      screen.getByLabelText(/^How many times/).closest('fieldset:disabled, fieldset[disabled]'),
    ).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Ring me now' }));
    await screen.findByText('It rang. Did you hear it?');
    await userEvent.click(screen.getByRole('button', { name: 'Not today' }));
    await waitFor(() =>
      expect(calls.find(({ path }) => path === '/attention/off')?.body).toEqual({ isOff: true }),
    );
  });

  it('says in red that nobody can be reached, and when somebody is off', async () => {
    stubNetwork({
      'GET /farm/escalation': one(
        aPlan({ isUnreachable: true, offUntil: new Date(Date.now() + 3_600_000).toISOString() }),
      ),
    });
    open();
    expect((await screen.findByRole('alert')).textContent).toMatch(/An order would reach nobody/);
    expect(screen.getByText(/^You are off until/)).toBeTruthy();
    expect(screen.getByRole('button', { name: "I'm back" })).toBeTruthy();
  });
});

describe('what crosses the form', () => {
  it('is the plan itself, whatever its times', () => {
    const steps: EscalationStep[] = [0, 1, 59, 60, 90, 3600, 86_400, 90_061].map(
      (afterSeconds) => ({ afterSeconds, to: 'all', channels: ['ring', 'sms'] }),
    );
    const silentUntil = '2026-12-23T19:00:00.000Z';
    const plan = aPlan({ steps: steps as never, silentUntil, quietHours: null, pauseAfter: 7 });
    const input = toPlanInput('Asia/Karachi')(plan);
    expect(input.backOn).toBe('2026-12-24');
    expect(PlanInput.safeParse(input).success).toBe(true);
    const { steps: back, ...rest } = toPlan(input, 'Asia/Karachi');
    expect(back).toEqual(steps);
    expect(rest).toEqual({
      rounds: 2,
      ackMinutes: 30,
      quietHours: null,
      pauseAfter: 7,
      silentUntil,
    });
  });

  it.each([
    // The clock goes from 24:00 to 1:00, and back to 23:00.
    ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00.000Z'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z'],
    ['Pacific/Kiritimati', '2026-11-29', '2026-11-28T10:00:00.000Z'],
    ['Pacific/Pago_Pago', '2026-11-29', '2026-11-29T11:00:00.000Z'],
  ])('begins a day in %s, %s, when its clock shows it first', (timeZone, day, instant) => {
    expect(startOfDay(timeZone, day)).toBe(instant);
    expect(dayIn(timeZone, Date.parse(instant))).toBe(day);
    expect(dayIn(timeZone, Date.parse(instant) - 1)).not.toBe(day);
  });
});

describe('the plan in words', () => {
  it('names when, how and whom', () => {
    expect(DEFAULT_PLAN.steps.map((step) => describeStep(step, []))).toEqual([
      'At once: a ring on open pages and a push message to everyone with alerts on.',
      'After 2 minutes: a push message to everyone with alerts on.',
      'After 2 minutes: an email to the owners.',
      'After 5 minutes: a push message and an SMS to everyone who works here.',
    ]);
    const gone: EscalationStep = { afterSeconds: 1, to: 'user', user: 'x', channels: ['email'] };
    expect(describeStep(gone, [])).toBe('After 1 second: an email to somebody who has left.');
  });

  it('says the rest in whole sentences', () => {
    const input = toPlanInput('UTC')(aPlan({ rounds: 1, pauseAfter: 1 }));
    expect(describeRest(input)).toEqual([
      'If nobody answers, that was all.',
      'Nobody is told from 9:00 PM to 7:00 AM, unless the order cannot wait that long.',
      'After an order that nobody answered your shop takes no orders until it next opens.',
    ]);
  });
});
