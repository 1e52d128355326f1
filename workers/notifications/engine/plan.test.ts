import { describe, expect, it } from 'vitest';
import { DEFAULT_PREFERENCES } from '#contract/people/notifications/constants';
import type { NotificationKind } from '#contract/people/notifications/notifications';
import {
  type CausedEffect,
  type NotificationState,
  type Plan,
  planEffects,
  type Recipient,
  type StaffMember,
} from './plan.ts';

const NOW = new Date('2026-05-01T08:00:00.000Z');
const at = (ms: number) => new Date(NOW.getTime() + ms);

const ADA = '00000000-0000-4000-8000-00000000000a';
const BOB = '00000000-0000-4000-8000-00000000000b';

const recipient = (rest: Partial<Recipient> = {}): Recipient => ({
  preferences: DEFAULT_PREFERENCES,
  newestNotificationAt: null,
  ...{ pushSubscriptionIds: [], canBeTexted: false },
  ...rest,
});
const stateOf = (rest: Partial<NotificationState> = {}): NotificationState => ({
  now: NOW,
  people: new Map([
    [ADA, recipient()],
    [BOB, recipient()],
  ]),
  staff: new Map(),
  names: new Map(),
  flags: new Set(),
  printingFarms: new Set(),
  awaited: new Set(),
  unread: [],
  messages: [],
  ...rest,
});

type Notify = Extract<CausedEffect, { do: 'notify' }>;
const aboutGoods = (product: string) => ({ product, unit: 'kg' as const, leftMilli: 0 });
const notify = (key: string, rest: object = {}): Notify => ({
  do: 'notify',
  userId: ADA,
  kind: 'stock.low',
  key,
  params: aboutGoods(key),
  link: '/products',
  requestId: null,
  ...rest,
});
const setFlag = (key: string): CausedEffect => ({
  ...{ do: 'setFlag', userId: ADA, kind: 'stock.low', key, requestId: null },
});
const clearFlag = (key: string): CausedEffect => ({ do: 'clearFlag', key, requestId: null });

const rules = {
  delaySeconds: ({ channel }: { channel: string }) => (channel === 'email' ? 60 : 0),
  reminderSeconds: {
    'order.unanswered': 1800,
    'order.reminder': 0,
    'message.unread': 30,
    'picklist.changed': 60,
    'stock.back': 0,
    'stock.wave': 120,
    'farm.newProducts': 0,
  },
  concernsOf: (of: NotificationKind) => (of === 'stock.low' ? 'changeProducts' : 'answerOrders'),
  isPaced: (kind: NotificationKind) => kind !== 'account.security',
  hasPlan: (kind: NotificationKind) => kind === 'picklist.changed',
} as const;
const plan = (effects: CausedEffect[], state = stateOf()): Plan =>
  planEffects(state, effects, rules);

const deliveriesOf = ({ deliveries }: Plan) =>
  deliveries.map(({ userId, key, channel, status, dueAt }) => ({
    userId,
    key,
    channel,
    status,
    dueAt,
  }));

describe('what is for a farm', () => {
  const FARM = ADA;
  const CLEO = '00000000-0000-4000-8000-00000000000c';
  const farm = (...staff: StaffMember[]) =>
    stateOf({
      people: new Map([ADA, BOB, CLEO].map((userId) => [userId, recipient()])),
      staff: new Map([[FARM, staff]]),
    });
  const recipients = ({ notifications }: Plan) => notifications.map(({ userId }) => userId);

  it('everyone there gets whom it concerns and who has alerts on, each for themselves', () => {
    const state = farm(
      { userId: ADA, role: 'owner', hasAlerts: true },
      { userId: BOB, role: 'manager', hasAlerts: true },
      { userId: CLEO, role: 'packer', hasAlerts: true },
    );
    const made = plan([notify('a')], state);
    expect(recipients(made)).toEqual([ADA, BOB]);
    expect(made.events.map(({ rooms }) => rooms)).toEqual([[`user:${ADA}`], [`user:${BOB}`]]);
    expect(deliveriesOf(made).map(({ userId, key }) => [userId, key])).toEqual([
      [ADA, 'a'],
      [BOB, 'a'],
    ]);
  });

  it('nobody gets who has alerts off, the founder included', () => {
    const state = farm(
      { userId: ADA, role: 'owner', hasAlerts: false },
      { userId: BOB, role: 'owner', hasAlerts: true },
    );
    expect(recipients(plan([notify('a')], state))).toEqual([BOB]);
    expect(recipients(plan([notify('a')], farm()))).toEqual([]);
  });

  it('a flag lets through once, to all of them', () => {
    const state = farm(
      { userId: ADA, role: 'owner', hasAlerts: true },
      { userId: BOB, role: 'owner', hasAlerts: true },
    );
    const made = plan([notify('a', { unlessFlag: 'f' }), notify('b', { unlessFlag: 'f' })], state);
    expect(made.notifications.map(({ userId, key }) => [userId, key])).toEqual([
      [ADA, 'a'],
      [BOB, 'a'],
    ]);
  });

  it('is settled for all of them', () => {
    const state = farm(
      { userId: ADA, role: 'owner', hasAlerts: true },
      { userId: BOB, role: 'owner', hasAlerts: true },
    );
    const settle: CausedEffect = {
      do: 'settle',
      userId: FARM,
      links: ['/products'],
      requestId: null,
    };
    const { notifications } = plan([notify('a'), settle], state);
    expect(notifications.map(({ readAt }) => readAt)).toEqual([NOW, NOW]);
  });
});

describe('a notification', () => {
  it('is shown in the app, mailed after its delay and pushed at once to each browser', () => {
    const people = new Map([[ADA, recipient({ pushSubscriptionIds: ['phone', 'laptop'] })]]);
    const made = plan([notify('a', { requestId: 'request' })], stateOf({ people }));
    const [notification] = made.notifications;
    expect(made.notifications).toEqual([
      expect.objectContaining({ userId: ADA, kind: 'stock.low', key: 'a', createdAt: NOW }),
    ]);
    expect(deliveriesOf(made)).toEqual([
      { userId: ADA, key: 'a', channel: 'email', status: 'pending', dueAt: at(60_000) },
      { userId: ADA, key: 'a@phone', channel: 'push', status: 'pending', dueAt: NOW },
      { userId: ADA, key: 'a@laptop', channel: 'push', status: 'pending', dueAt: NOW },
    ]);
    expect(made.events).toEqual([
      {
        id: expect.any(String),
        name: 'notification.created',
        data: {
          _id: notification?.id,
          kind: 'stock.low',
          params: aboutGoods('a'),
          link: '/products',
          isRead: false,
          createdAt: NOW.toISOString(),
        },
        rooms: [`user:${ADA}`],
        notificationId: notification?.id,
        requestId: 'request',
      },
    ]);
    for (const delivery of made.deliveries) {
      expect(delivery).toMatchObject({ notificationId: notification?.id, requestId: 'request' });
    }
  });

  it.each(['email sms push', 'email push', 'email', 'push', ''])('is as chosen: %s', (chosen) => {
    const wants = (channel: string) => chosen.includes(channel);
    const choice = { email: wants('email'), push: wants('push'), sms: wants('sms') };
    const preferences = { ...DEFAULT_PREFERENCES, 'stock.low': choice };
    for (const canBeTexted of [true, false]) {
      const one = recipient({ preferences, pushSubscriptionIds: ['phone'], canBeTexted });
      const made = plan([notify('a')], stateOf({ people: new Map([[ADA, one]]) }));
      const channels = made.deliveries.map(({ channel }) => channel).join(' ');
      expect(channels).toBe(canBeTexted ? chosen : chosen.replace('sms ', ''));
    }
  });

  it('plans nothing for a person without an account', () => {
    const effects: CausedEffect[] = [
      notify('a', { unlessFlag: 'flag' }),
      setFlag('other'),
      { do: 'schedule', userId: ADA, kind: 'order.unanswered', key: 'a', requestId: null },
      { do: 'mail', userId: ADA, kind: 'password.reset', key: 'a', requestId: null },
    ];
    const rows = Object.values(plan(effects, stateOf({ people: new Map() })));
    expect(rows.flatMap((each) => [...each])).toEqual([]);
  });
});

describe('the times of notifications', () => {
  const timesOf = ({ notifications }: Plan, userId: string) =>
    notifications
      .filter((each) => each.userId === userId)
      .map(({ createdAt }) => createdAt.getTime() - NOW.getTime());

  it('are distinct and in order for each person', () => {
    const made = plan([notify('a'), notify('b', { userId: BOB }), notify('c'), notify('d')]);
    expect(timesOf(made, ADA)).toEqual([0, 1, 2]);
    expect(timesOf(made, BOB)).toEqual([0]);
    expect(
      made.events.map(
        ({ data }) => (data as unknown as { params: { product: string } }).params.product,
      ),
    ).toEqual(['a', 'b', 'c', 'd']);
  });

  it('come after those of the batch before, also when that was ahead of the clock', () => {
    const people = new Map([[ADA, recipient({ newestNotificationAt: at(40) })]]);
    expect(timesOf(plan([notify('a'), notify('b')], stateOf({ people })), ADA)).toEqual([41, 42]);
    const earlier = new Map([[ADA, recipient({ newestNotificationAt: at(-40) })]]);
    expect(timesOf(plan([notify('a')], stateOf({ people: earlier })), ADA)).toEqual([0]);
  });
});

it('sets timers for reminders, and schedules transactional mails, by their delays', () => {
  const made = plan([
    { do: 'schedule', userId: ADA, kind: 'order.unanswered', key: 'a', requestId: null },
    { do: 'schedule', userId: 'gone', kind: 'order.unanswered', key: 'c', requestId: null },
    { do: 'schedule', userId: BOB, kind: 'message.unread', key: 'd', requestId: 'other' },
    { do: 'mail', userId: BOB, kind: 'password.reset', key: 'b', requestId: 'request' },
  ]);
  expect(made.timers).toEqual([
    { key: 'a', kind: 'order.unanswered', dueAt: at(1_800_000), requestId: null },
    { key: 'd', kind: 'message.unread', dueAt: at(30_000), requestId: 'other' },
  ]);
  expect(deliveriesOf(made)).toEqual([
    { userId: BOB, key: 'b', channel: 'email', status: 'pending', dueAt: at(60_000) },
  ]);
  expect(made.deliveries.map(({ notificationId }) => notificationId)).toEqual([null]);
  expect(made.deliveries[0]?.requestId).toBe('request');
  expect([made.notifications, made.events]).toEqual([[], []]);
});

it('sets timers that need a print only for farms that have one', () => {
  const schedule = (userId: string): CausedEffect => ({
    do: 'schedule',
    userId,
    kind: 'picklist.changed',
    key: `of ${userId}`,
    needsPrint: true,
    requestId: null,
  });
  const state = stateOf({ printingFarms: new Set([BOB]) });
  expect(plan([schedule(ADA), schedule(BOB)], state).timers).toEqual([
    { key: `of ${BOB}`, kind: 'picklist.changed', dueAt: at(60_000), requestId: null },
  ]);
});

describe('a flag', () => {
  const low = (key: string) => notify(key, { unlessFlag: 'low' });
  /** The keys notified of, and what happens to the flag. */
  const outcome = (effects: CausedEffect[], flags: string[]) => {
    const made = plan(effects, stateOf({ flags: new Set(flags) }));
    return {
      notified: made.notifications.map(({ key }) => key),
      set: made.deliveries.filter(({ status }) => status === 'sent').map(({ key }) => key),
      cleared: made.clearedFlags,
    };
  };

  it.each([
    ['is set by its notification', [low('a')], [], { notified: ['a'], set: ['low'], cleared: [] }],
    ['suppresses it while set', [low('a')], ['low'], { notified: [], set: [], cleared: [] }],
    [
      'suppresses the next one',
      [low('a'), low('b')],
      [],
      { notified: ['a'], set: ['low'], cleared: [] },
    ],
    [
      'can be set silently',
      [setFlag('low'), low('a')],
      [],
      { notified: [], set: ['low'], cleared: [] },
    ],
    [
      'is set once',
      [setFlag('low'), setFlag('low')],
      [],
      { notified: [], set: ['low'], cleared: [] },
    ],
    ['is cleared', [clearFlag('low')], ['low'], { notified: [], set: [], cleared: ['low'] }],
    [
      'need not be set to be cleared',
      [clearFlag('low')],
      [],
      { notified: [], set: [], cleared: [] },
    ],
    [
      'allows the next one after it was cleared',
      [low('a'), clearFlag('low'), low('b')],
      [],
      { notified: ['a', 'b'], set: ['low'], cleared: [] },
    ],
    [
      'that was set before stays as it is when cleared and set again',
      [clearFlag('low'), low('a')],
      ['low'],
      { notified: ['a'], set: [], cleared: [] },
    ],
    [
      'that was set and cleared writes nothing',
      [low('a'), clearFlag('low')],
      [],
      { notified: ['a'], set: [], cleared: [] },
    ],
    [
      'is independent of other flags',
      [setFlag('other'), clearFlag('third'), low('a')],
      ['third'],
      { notified: ['a'], set: ['other', 'low'], cleared: ['third'] },
    ],
  ] as [string, CausedEffect[], string[], ReturnType<typeof outcome>][])(
    '%s',
    (_, effects, flags, expected) => {
      expect(outcome(effects, flags)).toEqual(expected);
    },
  );

  it('is a row that is never sent', () => {
    const [row] = plan([setFlag('low')]).deliveries;
    expect(row).toMatchObject({ channel: 'in_app', status: 'sent', dueAt: NOW, userId: ADA });
  });
});

describe('settling', () => {
  it('makes what the same events notified of read from the start, of these links and kinds', () => {
    const settle: CausedEffect = {
      do: 'settle',
      userId: ADA,
      links: ['/orders/1'],
      kinds: ['order.placed'],
      requestId: null,
    };
    const order = { link: '/orders/1', kind: 'order.placed' } as const;
    const made = plan([
      notify('a', order),
      notify('b', { ...order, link: '/orders/2' }),
      notify('c', { ...order, kind: 'order.cancelledByConsumer' }),
      notify('d', { ...order, userId: BOB }),
      settle,
      notify('e', order),
    ]);
    const isRead = Object.fromEntries(made.notifications.map(({ key, readAt }) => [key, !!readAt]));
    expect(isRead).toEqual({ a: true, b: false, c: false, d: false, e: false });
    expect(made.events.map(({ data }) => (data as { isRead: boolean }).isRead)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('marks those of earlier events as read, of these people, links and kinds', () => {
    const one = { userId: ADA, link: '/orders/1', kind: 'order.placed' };
    const unread = [
      { ...one, id: 'a' },
      { ...one, id: 'b', link: '/orders/2' },
      { ...one, id: 'c', kind: 'order.cancelledByConsumer' },
      { ...one, id: 'd', userId: BOB },
      { ...one, id: 'e' },
    ];
    const settle: CausedEffect = {
      do: 'settle',
      userId: ADA,
      links: ['/orders/1'],
      kinds: ['order.placed'],
      requestId: null,
    };
    const { settled } = plan([settle, settle], stateOf({ unread }));
    expect(settled).toEqual(new Map([[ADA, ['a', 'e']]]));
    expect(plan([], stateOf({ unread })).settled).toEqual(new Map());
  });
});
