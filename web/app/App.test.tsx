// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { userAtom } from '../auth/atoms.ts';
import { cartAtom } from '../cart/atoms.ts';
import { tokenAtom } from '../lib/session.ts';
import { store } from '../lib/store.ts';
import { network, nothing, type Reply, refusal } from '../lib/testing/network.ts';
import { aToken, somebody } from '../lib/testing/people.ts';
import { App } from './App.tsx';
import { Providers } from './Providers.tsx';

const empty = {
  'GET /products': nothing,
  'GET /categories': nothing,
  'GET /users/farmers': nothing,
  'GET /notifications': {
    status: 200,
    body: { success: true, data: [], count: 0, nextCursor: null, unreadCount: 0 },
  },
  'GET /messages': nothing,
  'GET /orders/consumer': nothing,
  'GET /orders/farmer': nothing,
} satisfies Record<string, Reply>;

function openAt(path: string) {
  history.replaceState(null, '', path);
  return render(
    <Providers>
      <App />
    </Providers>,
  );
}

function signIn(role: 'consumer' | 'farmer' | 'admin') {
  const user = somebody(role);
  store.set(tokenAtom, aToken);
  store.set(userAtom, user);
  return { status: 200, body: { success: true, user } } satisfies Reply;
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
  // This browser has no ears.
  vi.stubGlobal(
    'AudioContext',
    class {
      state = 'suspended';
      resume = async () => undefined;
    },
  );
  localStorage.clear();
  store.set(tokenAtom, null);
  store.set(userAtom, null);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('the session', () => {
  it('waits with the page until the server has confirmed who is here', async () => {
    const me = signIn('consumer');
    let confirm: (reply: Reply) => void = () => undefined;
    network({ ...empty, 'GET /auth/me': () => new Promise((resolve) => (confirm = resolve)) });
    openAt('/about');
    expect(await screen.findByText('Loading')).toBeDefined();
    expect(screen.queryByRole('heading', { name: 'About Farmgate' })).toBeNull();
    confirm(me);
    expect(await screen.findByRole('heading', { name: 'About Farmgate' })).toBeDefined();
  });

  it('ends without a word when the server does not know it any more', async () => {
    signIn('consumer');
    network({ ...empty, 'GET /auth/me': refusal(401, 'Please sign in.') });
    openAt('/about');
    expect(await screen.findByRole('heading', { name: 'About Farmgate' })).toBeDefined();
    expect(localStorage.getItem('token')).toBeNull();
    expect(localStorage.getItem('user')).toBeNull();
    expect(screen.queryByText(/session has ended/)).toBeNull();
  });

  it('leads to the sign-in when it expires on a page that needs one, and keeps the cart', async () => {
    signIn('consumer');
    store.set(cartAtom, cart);
    network({ ...empty, 'GET /auth/me': refusal(401, 'Please sign in.') });
    openAt('/profile');
    expect(await screen.findByRole('button', { name: 'Sign in' })).toBeDefined();
    expect(location.pathname).toBe('/login');
    expect(JSON.parse(localStorage.getItem('cart') ?? 'null')).toEqual(cart);
  });

  it('outlives a server that is away', async () => {
    signIn('consumer');
    network({ ...empty, 'GET /auth/me': 'no answer' });
    openAt('/about');
    expect(await screen.findByRole('heading', { name: 'About Farmgate' })).toBeDefined();
    expect(screen.getByRole('button', { name: /Ada/ })).toBeDefined();
    expect(localStorage.getItem('token')).toBe(aToken);
  });

  it('ends here when one signs out in another tab', async () => {
    const me = signIn('consumer');
    network({ ...empty, 'GET /auth/me': me });
    openAt('/about');
    expect(await screen.findByRole('button', { name: /Ada/ })).toBeDefined();
    localStorage.removeItem('token');
    window.dispatchEvent(
      new StorageEvent('storage', { key: 'token', newValue: null, storageArea: localStorage }),
    );
    await waitFor(() => expect(screen.queryByRole('button', { name: /Ada/ })).toBeNull());
    expect(screen.getAllByRole('link', { name: 'Login' })).not.toHaveLength(0);
  });
});

describe('the ways through the market', () => {
  it.each([
    ['farmer', '/farmer/dashboard'],
    ['admin', '/admin/dashboard'],
    ['consumer', '/'],
  ] as const)('lead a signed-in %s on from the sign-in', async (role, home) => {
    const me = signIn(role);
    network({ ...empty, 'GET /auth/me': me });
    openAt('/login');
    await waitFor(() => expect(location.pathname).toBe(home));
  });

  it('end at the harvested page where there is nothing', async () => {
    network(empty);
    openAt('/no/such/page');
    expect(
      await screen.findByRole('heading', {
        name: "Oops! The page you're looking for seems to have been harvested already.",
      }),
    ).toBeDefined();
    expect(screen.getByRole('link', { name: 'Back to Home' }).getAttribute('href')).toBe('/');
  });

  it('begin each page at its top, and name it in the tab', async () => {
    network(empty);
    const scrolled = vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
    openAt('/');
    await userEvent.click(screen.getAllByRole('link', { name: 'About' })[0] as HTMLElement);
    expect(await screen.findByRole('heading', { name: 'About Farmgate' })).toBeDefined();
    expect(scrolled).toHaveBeenCalledWith(0, 0);
    expect(document.title).toBe('About · Farmgate');
  });
});

describe('the small menu', () => {
  async function openMenu() {
    await userEvent.click(await screen.findByRole('button', { name: 'Open menu' }));
    return within(screen.getByRole('navigation', { name: 'Menu' }));
  }
  const words = (menu: ReturnType<typeof within>) =>
    [...menu.queryAllByRole('link'), ...menu.queryAllByRole('button')].map((one) =>
      one.textContent?.trim(),
    );

  it('offers a visitor the ways in', async () => {
    network(empty);
    openAt('/about');
    expect(words(await openMenu())).toEqual([
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
    ['farmer', ['Farmer Dashboard', 'Profile', 'Orders', 'Messages', 'Logout']],
    ['admin', ['Admin Dashboard', 'Messages', 'Logout']],
  ] as const)('offers what the role may do: %s', async (role, own) => {
    const me = signIn(role);
    store.set(cartAtom, cart);
    network({ ...empty, 'GET /auth/me': me });
    openAt('/about');
    expect(words(await openMenu())).toEqual(['Home', 'Products', 'Farmers', 'About', ...own]);
  });

  it('closes on Escape and gives the focus back', async () => {
    network(empty);
    openAt('/about');
    await openMenu();
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('navigation', { name: 'Menu' })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open menu' }));
  });

  it('signs out and goes home', async () => {
    const me = signIn('consumer');
    network({ ...empty, 'GET /auth/me': me });
    openAt('/profile');
    const menu = await openMenu();
    await userEvent.click(menu.getByRole('button', { name: 'Logout' }));
    expect(await screen.findByText('Logged out successfully!')).toBeDefined();
    expect(location.pathname).toBe('/');
    expect(localStorage.getItem('token')).toBeNull();
    expect(localStorage.getItem('user')).toBeNull();
  });
});

describe('the newsletter', () => {
  it('takes an address that looks like one, and makes no call', async () => {
    network(empty);
    openAt('/no/such/page');
    const calls = network(empty);
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
