// @vitest-environment happy-dom
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Providers } from '../../app/Providers.tsx';
import { notifySessionEnded, store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import { aUser, type Call, type Reply, stubNetwork } from '../../platform/testing/network.ts';
import { useOwnPush, usePush } from './push.ts';

const ENDPOINT = 'https://push.example.com/1';
const consumer = aUser('consumer');
/** Returns a token of a new session. */
const newToken = () => `aaa.bbb.${crypto.randomUUID()}`;

let isSubscribed: boolean;
let calls: Call[];
/** What the server knows of this browser. */
let isKept: boolean;
let token: string;
/** Has the server store a new subscription, and answer. */
let answerSubscribe: () => void;

beforeEach(() => {
  localStorage.setItem('push-owner', JSON.stringify(consumer._id));
  // The stored owner is read, and nothing done where there is no push.
  openPage().unmount();
  isSubscribed = true;
  isKept = true;
  token = newToken();
  const subscription = {
    endpoint: ENDPOINT,
    unsubscribe: async () => {
      isSubscribed = false;
      return true;
    },
  };
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', {
    permission: 'granted',
    requestPermission: async () => 'granted',
  });
  const pushManager = {
    getSubscription: async () => (isSubscribed ? subscription : null),
    subscribe: async () => {
      isSubscribed = true;
      return { ...subscription, toJSON: () => ({ endpoint: ENDPOINT }) };
    },
  };
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: {
      getRegistration: async () => ({ pushManager }),
      register: async () => undefined,
      ready: Promise.resolve({ pushManager }),
    },
  });
  const renewed = (): Reply => ({
    status: 200,
    body: { success: true, data: { isSubscribed: isKept } },
  });
  const subscribed = new Promise<void>((resolve) => {
    answerSubscribe = resolve;
  });
  calls = stubNetwork({
    'GET /notifications/push-key': {
      status: 200,
      body: { success: true, data: { publicKey: 'key' } },
    },
    'POST /notifications/push-subscriptions': async () => {
      await subscribed;
      isKept = true;
      return { status: 200, body: { success: true, data: {} } };
    },
    'PUT /notifications/push-subscriptions': renewed,
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'serviceWorker');
  act(() => signOut());
});

function signIn(asToken: string, user = consumer): void {
  store.set(userAtom, user);
  store.set(tokenAtom, asToken);
}
function signOut(): void {
  store.set(tokenAtom, null);
  store.set(userAtom, null);
}
const openPage = () => renderHook(useOwnPush, { wrapper: Providers });
const asked = () => calls.filter(({ method }) => method === 'PUT');
/** What was begun has had its time. */
const settled = () => act(() => vi.dynamicImportSettled());

describe('after a sign-in, the browser of the same person', () => {
  it('goes on where the server has kept the subscription, and asks once per session', async () => {
    signIn(token);
    openPage().unmount();
    await waitFor(() => expect(asked()).toHaveLength(1));
    expect(asked()[0]?.body).toEqual({ endpoint: ENDPOINT });
    await waitFor(() => expect(localStorage.getItem('push-asked')).toContain(token.slice(-8)));
    openPage().unmount();
    const next = newToken();
    act(() => signIn(next));
    openPage();
    await waitFor(() => expect(asked()).toHaveLength(2));
    expect(asked().map((call) => call.token)).toEqual([token, next]);
    expect(isSubscribed).toBe(true);
  });

  it('ends where the session ended the subscription', async () => {
    isKept = false;
    signIn(token);
    openPage();
    await waitFor(() => expect(isSubscribed).toBe(false));
  });

  it('asks again once its person has another role', async () => {
    signIn(token);
    openPage();
    await waitFor(() => expect(asked()).toHaveLength(1));
    isKept = false;
    const membership = { farmId: consumer._id, role: 'packer' as const };
    act(() => store.set(userAtom, { ...consumer, membership }));
    await waitFor(() => expect(isSubscribed).toBe(false));
  });
});

describe('the subscription of a browser', () => {
  it('outlasts a session that the server rejects', async () => {
    signIn(token);
    const page = openPage();
    await waitFor(() => expect(asked()).toHaveLength(1));
    act(() => {
      notifySessionEnded(token);
      signOut();
    });
    page.unmount();
    await settled();
    expect(isSubscribed).toBe(true);
  });

  it('ends with signing out', async () => {
    signIn(token);
    const page = openPage();
    await waitFor(() => expect(asked()).toHaveLength(1));
    act(() => signOut());
    page.unmount();
    await waitFor(() => expect(isSubscribed).toBe(false));
  });

  it('ends when somebody else signs in', async () => {
    signIn(token, { ...consumer, _id: crypto.randomUUID() });
    openPage();
    await waitFor(() => expect(isSubscribed).toBe(false));
    expect(asked()).toEqual([]);
  });

  it('stays when it is turned on, however long the server takes to store it', async () => {
    localStorage.setItem('push-owner', 'null');
    openPage().unmount();
    isSubscribed = false;
    isKept = false;
    signIn(token);
    const { result } = renderHook(
      () => {
        useOwnPush();
        return usePush();
      },
      { wrapper: Providers },
    );
    await waitFor(() => expect(result.current.state).toBe('off'));
    act(() => result.current.change(true));
    await waitFor(() => expect(calls.some(({ method }) => method === 'POST')).toBe(true));
    await settled();
    answerSubscribe();
    await waitFor(() => expect(result.current.state).toBe('on'));
    await waitFor(() => expect(asked()).toHaveLength(1));
    await settled();
    expect(isSubscribed).toBe(true);
  });
});
