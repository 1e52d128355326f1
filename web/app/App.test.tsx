// @vitest-environment happy-dom

import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cartAtom, EMPTY_CART } from '../ordering/cart/rules.ts';
import { keepGoods, peekSavedGoods } from '../ordering/cart/saved-goods.ts';
import { ownedKey } from '../platform/session/owned.ts';
import { store, tokenAtom, userAtom } from '../platform/session/session.ts';
import {
  aToken,
  aUser,
  emptyList,
  type Reply,
  refusal,
  stubNetwork,
} from '../platform/testing/network.ts';
import { emptyMarket, openAt, signIn, stubAudio } from './testing/app.tsx';

const empty = {
  ...emptyMarket,
  'GET /notifications': {
    status: 200,
    body: { success: true, data: [], count: 0, nextCursor: null, unreadCount: 0 },
  },
  'GET /orders/farmer': emptyList,
  'GET /orders/stats/farmer/pending': {
    status: 200,
    body: { success: true, data: { pendingOrders: 0 } },
  },
} satisfies Record<string, Reply>;

/** Leaves the storage, and notifies this tab of it, as another tab does in which its person signs out. */
function signOutElsewhere(): void {
  localStorage.setItem('left-session', aToken);
  for (const key of ['token', 'user']) localStorage.removeItem(key);
  window.dispatchEvent(
    new StorageEvent('storage', { key: 'token', newValue: null, storageArea: localStorage }),
  );
}

const cart = {
  farmerId: '00000000-0000-4000-8000-000000000900',
  farmerName: 'Green Valley Farm',
  lines: [
    {
      productId: '00000000-0000-4000-8000-000000000001',
      name: 'Tomatoes',
      image: null,
      price: 2.5,
      quantity: 2,
    },
  ],
};

beforeEach(() => {
  stubAudio();
  localStorage.clear();
  store.set(tokenAtom, null);
  store.set(userAtom, null);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('the session', () => {
  it('shows a spinner until the server has confirmed the session', async () => {
    const me = signIn();
    let confirm: (reply: Reply) => void = () => undefined;
    stubNetwork({ ...empty, 'GET /auth/me': () => new Promise((resolve) => (confirm = resolve)) });
    openAt('/about');
    expect(await screen.findByText('Loading')).toBeDefined();
    expect(screen.queryByRole('heading', { name: 'About Farmgate' })).toBeNull();
    confirm(me);
    expect(await screen.findByRole('heading', { name: 'About Farmgate' })).toBeDefined();
  });

  it('ends without a toast when the server rejects the token at the start', async () => {
    signIn();
    stubNetwork({ ...empty, 'GET /auth/me': refusal(401, 'Please sign in.') });
    openAt('/about');
    expect(await screen.findByRole('heading', { name: 'About Farmgate' })).toBeDefined();
    expect(localStorage.getItem('token')).toBeNull();
    expect(localStorage.getItem('user')).toBeNull();
    expect(screen.queryByText(/session has ended/)).toBeNull();
  });

  it('redirects to the sign-in when it expires on a guarded page, and keeps the cart', async () => {
    signIn();
    store.set(cartAtom, cart);
    stubNetwork({ ...empty, 'GET /auth/me': refusal(401, 'Please sign in.') });
    openAt('/profile');
    expect(await screen.findByRole('button', { name: 'Sign in' })).toBeDefined();
    expect(location.pathname).toBe('/login');
    const key = ownedKey(aUser('consumer')._id, 'cart');
    expect(JSON.parse(localStorage.getItem(key) ?? 'null')).toEqual(cart);
  });

  it('continues with the stored user while the server is unreachable', async () => {
    signIn();
    stubNetwork({ ...empty, 'GET /auth/me': 'no answer' });
    openAt('/about');
    expect(await screen.findByRole('heading', { name: 'About Farmgate' })).toBeDefined();
    expect(screen.getByRole('button', { name: /Ada/ })).toBeDefined();
    expect(localStorage.getItem('token')).toBe(aToken);
  });
});

describe('routes', () => {
  it('redirect a signed-in person from the sign-in to their home page', async () => {
    const me = signIn(aUser('admin'));
    stubNetwork({ ...empty, 'GET /auth/me': me });
    openAt('/login');
    await waitFor(() => expect(location.pathname).toBe('/admin/dashboard'));
  });

  it('show the not-found page for an unknown path', async () => {
    stubNetwork(empty);
    openAt('/no/such/page');
    expect(
      await screen.findByRole('heading', {
        name: "Oops! The page you're looking for seems to have been harvested already.",
      }),
    ).toBeDefined();
    expect(screen.getByRole('link', { name: 'Back to Home' }).getAttribute('href')).toBe('/');
  });

  it('redirect ids in upper case to lower case, as events and the cache have them', async () => {
    const id = 'abcdef01-0000-4000-8000-00000000000a';
    const asked = stubNetwork({
      ...empty,
      [`GET /products/${id}`]: refusal(404, 'Product not found'),
    });
    openAt(`/products/${id.toUpperCase()}?from=home#top`);
    expect(await screen.findByText('Product not found')).toBeDefined();
    expect(location.pathname + location.search + location.hash).toBe(
      `/products/${id}?from=home#top`,
    );
    expect(JSON.stringify(asked)).not.toContain(id.toUpperCase());
  });

  it('scroll each page to its top and set the document title', async () => {
    stubNetwork(empty);
    const scrolled = vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
    openAt('/');
    await userEvent.click(screen.getAllByRole('link', { name: 'About' })[0] as HTMLElement);
    expect(await screen.findByRole('heading', { name: 'About Farmgate' })).toBeDefined();
    expect(scrolled).toHaveBeenCalledWith(0, 0);
    expect(document.title).toBe('About · Farmgate');
  });
});

describe('the sign-in', () => {
  const order = 'abcdef01-0000-4000-8000-00000000000a';

  async function signInAs(role: 'consumer' | 'farmer' | 'admin') {
    const user = aUser(role);
    stubNetwork({
      ...empty,
      'GET /auth/me': { status: 200, body: { success: true, user } },
      'POST /auth/login': { status: 200, body: { success: true, token: aToken, user } },
      [`GET /orders/${order}`]: refusal(404, 'Order not found'),
    });
    await userEvent.type(await screen.findByLabelText(/^Email/), user.email);
    await userEvent.type(screen.getByLabelText(/^Password/), 'password123');
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  }
  const address = () => location.pathname + location.search + location.hash;

  it('leads back to the page that was asked for, with its query and hash', async () => {
    stubNetwork(empty);
    openAt(`/orders/${order}?from=mail#lines`);
    await screen.findByRole('button', { name: 'Sign in' });
    const next = `/orders/${order}?from=mail#lines`;
    expect(address()).toBe(`/login?${new URLSearchParams({ next })}`);
    await signInAs('consumer');
    await waitFor(() => expect(address()).toBe(next));
  });

  it('keeps the page on the way to the registration and back, also in the address', async () => {
    stubNetwork(empty);
    openAt('/login?next=/profile');
    const toRegister = await screen.findAllByRole('link', { name: 'Register' });
    const inPage = toRegister.find((link) => link.getAttribute('href') !== '/register');
    expect(inPage?.getAttribute('href')).toBe('/register?next=%2Fprofile');
    await userEvent.click(inPage as HTMLElement);
    await userEvent.click(await screen.findByRole('link', { name: 'Sign in' }));
    await signInAs('consumer');
    await waitFor(() => expect(address()).toBe('/profile'));
  });

  it.each([
    ['farmer', '/checkout', '/farmer/dashboard'],
    ['consumer', '//evil.test', '/'],
  ] as const)('leads a %s who may not see %s to %s', async (role, next, home) => {
    stubNetwork(empty);
    openAt(`/login?${new URLSearchParams({ next })}`);
    await signInAs(role);
    await waitFor(() => expect(address()).toBe(home));
  });

  it('drops the return path of the person who signed out in another tab', async () => {
    const me = signIn();
    stubNetwork({ ...empty, 'GET /auth/me': me });
    openAt('/profile');
    await screen.findByText('Email cannot be changed');
    signOutElsewhere();
    await screen.findByRole('button', { name: 'Sign in' });
    expect(address()).toBe('/login');
    await signInAs('consumer');
    await waitFor(() => expect(address()).toBe('/'));
  });

  const tomatoes = {
    _id: cart.lines[0]?.productId ?? '',
    name: 'Tomatoes',
    price: 2.5,
    unit: 'lb' as const,
    images: [],
    quantityAvailable: 9,
    farmer: { _id: cart.farmerId, name: 'Fern', farmName: cart.farmerName },
  };

  it('puts what a visitor chose into the cart', async () => {
    store.set(cartAtom, EMPTY_CART);
    keepGoods(tomatoes, 2);
    stubNetwork(empty);
    openAt('/login');
    await screen.findByText('Sign in, and Tomatoes will be in your cart.');
    await signInAs('consumer');
    const lines = cart.lines.map((line) => ({ ...line, unit: 'lb' }));
    await waitFor(() => expect(store.get(cartAtom)).toEqual({ ...cart, lines }));
    expect(peekSavedGoods()).toEqual([]);
  });

  it('asks about what another farm than that of the cart has, on whatever page', async () => {
    const farmerId = cart.farmerId.replace('900', '901');
    store.set(cartAtom, { ...cart, farmerId, farmerName: 'Hilltop' });
    keepGoods(tomatoes, 2);
    const me = aUser('consumer');
    stubNetwork({ ...empty, 'GET /auth/me': { status: 200, body: { success: true, user: me } } });
    openAt('/login');
    await signInAs('consumer');
    const question = await screen.findByRole('alertdialog');
    act(() => history.pushState(null, '', '/about'));
    await screen.findByRole('heading', { name: 'About Farmgate', hidden: true });
    act(() => store.set(userAtom, { ...me, phone: '555' }));
    expect(screen.getByRole('alertdialog')).toBe(question);
    await userEvent.click(screen.getByRole('button', { name: 'Clear cart and add' }));
    expect(store.get(cartAtom)).toMatchObject({ farmerName: cart.farmerName });
    expect(peekSavedGoods()).toEqual([]);
  });
});

describe('the mobile menu', () => {
  async function openMenu() {
    await userEvent.click(await screen.findByRole('button', { name: 'Open menu' }));
    return within(await screen.findByRole('navigation', { name: 'Menu' }));
  }
  const labels = (menu: ReturnType<typeof within>) =>
    [...menu.queryAllByRole('link'), ...menu.queryAllByRole('button')].map((item) =>
      item.textContent?.trim(),
    );

  it('offers a visitor Login and Register', async () => {
    stubNetwork(empty);
    openAt('/about');
    expect(labels(await openMenu())).toEqual([
      'Home',
      'Products',
      'Farmers',
      'About',
      'Login',
      'Register',
    ]);
  });

  it.each([
    ['consumer', ['Cart (1)', 'Profile', 'Orders', 'Messages', 'Logout']],
    ['farmer', ['Farmer Dashboard', 'Profile', 'Orders', 'Messages', 'View as customer', 'Logout']],
    ['admin', ['Admin Dashboard', 'Messages', 'Logout']],
  ] as const)('offers the pages of the role: %s', async (role, own) => {
    const me = signIn(aUser(role));
    store.set(cartAtom, cart);
    stubNetwork({ ...empty, 'GET /auth/me': me });
    openAt('/about');
    expect(labels(await openMenu())).toEqual(['Home', 'Products', 'Farmers', 'About', ...own]);
  });

  it('closes on Escape and restores the focus', async () => {
    stubNetwork(empty);
    openAt('/about');
    await openMenu();
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('navigation', { name: 'Menu' })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open menu' }));
  });
});

describe('the newsletter', () => {
  it('accepts a valid email address and makes no call', async () => {
    stubNetwork(empty);
    openAt('/no/such/page');
    const calls = stubNetwork(empty);
    const box = await screen.findByRole('textbox', { name: 'Newsletter address' });
    await userEvent.type(box, 'ada@farm');
    await userEvent.click(screen.getByRole('button', { name: 'Subscribe' }));
    expect(screen.getByText('Please enter a valid email address.')).toBeDefined();
    expect((box as HTMLInputElement).value).toBe('ada@farm');
    await userEvent.type(box, '.test');
    await userEvent.click(screen.getByRole('button', { name: 'Subscribe' }));
    expect(await screen.findByText('Subscribed successfully!')).toBeDefined();
    expect((box as HTMLInputElement).value).toBe('');
    expect(calls).toEqual([]);
  });
});
