// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Route } from 'wouter';
import ConversationPage from '../../../pages/farm/ConversationPage.tsx';
import { beginAs, open } from '../../../pages/testing/page.tsx';
import { aUser, stubNetwork } from '../../../platform/testing/network.ts';

const me = { ...aUser('consumer'), _id: '00000000-0000-4000-8000-0000000000c1' };
const finn = { _id: '00000000-0000-4000-8000-0000000000f1', name: 'Finn Grower' };
beginAs(me);

/** Opens a conversation in which each has written once. */
function openThread(user: { name: string; role: string; farmName?: string }) {
  window.history.replaceState(null, '', `/messages/${finn._id}`);
  const message = (number: number, sender: object, receiver: object) => ({
    _id: `00000000-0000-4000-8000-00000000000${number}`,
    ...{ sender, receiver, isRead: true },
    content: `Message ${number}`,
    createdAt: `2026-11-22T10:0${number}:00.000Z`,
  });
  const list = { success: true, nextCursor: null };
  stubNetwork({
    'GET /messages': {
      status: 200,
      body: {
        ...list,
        data: [
          {
            user: { _id: finn._id, ...user },
            lastMessage: { ...message(2, finn, me), sender: finn._id },
            unreadCount: 0,
          },
        ],
        unreadCount: 0,
      },
    },
    [`GET /messages/${finn._id}`]: {
      status: 200,
      body: {
        ...list,
        data: [message(1, me, finn), message(2, finn, me)],
        user: { _id: finn._id, ...user },
        mayWrite: true,
      },
    },
  });
  open(<Route path="/messages/:userId" component={ConversationPage} />);
}

it('is headed by the farm with its person below, and names it throughout', async () => {
  openThread({ name: 'Finn Grower', role: 'farmer', farmName: 'Green Valley' });
  const heading = await screen.findByRole('heading', { level: 1, name: 'Green Valley' });
  const head = heading.closest('header') as HTMLElement;
  expect(within(head).getByText('Finn Grower')).toBeDefined();
  expect(screen.getByRole('link', { name: /^Green Valley Farmer/ })).toBeDefined();
  expect(screen.getByLabelText('Message to Green Valley')).toBeDefined();
  const [own, other] = within(screen.getByRole('log')).getAllByText(/^(You|.+ wrote):/);
  expect([own?.textContent?.trim(), other?.textContent?.trim()]).toEqual([
    'You:',
    'Green Valley wrote:',
  ]);
});

it('is headed by a person with their role below, and a farm without a name by its person', async () => {
  openThread({ name: 'Finn Grower', role: 'farmer' });
  const heading = await screen.findByRole('heading', { level: 1, name: 'Finn Grower' });
  expect(within(heading.closest('header') as HTMLElement).getByText('Farmer')).toBeDefined();
  expect(screen.getByText('Finn Grower wrote:')).toBeDefined();
});
