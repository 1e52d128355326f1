import type { Prisma } from '../prisma/generated/client.ts';
import type { FarmKey } from './data/farms.ts';
import { farmIdOf, idOf } from './data/farms.ts';
import { admin, type ConsumerEmail } from './data/people.ts';
import type { StaffEmail } from './data/staff.ts';
import type { DemoOrder } from './orders.ts';
import { before, HOUR_MS, MINUTE_MS } from './times.ts';

type MessageRow = Prisma.MessageCreateManyInput & { createdAt: Date };

/** The messages, and each side's row of the conversation. */
export interface DemoConversations {
  messages: MessageRow[];
  conversations: Prisma.ConversationCreateManyInput[];
}

/** Creates all conversations of the demo market. */
export function makeConversations(orders: readonly DemoOrder[], now: Date): DemoConversations {
  const created = threads.map((thread) => makeThread(thread, orders, now));
  return {
    messages: created.flatMap(({ messages }) => messages),
    conversations: created.flatMap(({ conversations }) => conversations),
  };
}

function makeThread(
  thread: DemoThread,
  orders: readonly DemoOrder[],
  now: Date,
): DemoConversations {
  const people = { F: farmIdOf(thread.farm), O: idOf('user', thread.with) };
  // Orders are sorted newest first.
  const order = orders.find(
    ({ order }) => order.farmerId === people.F && order.consumerId === people.O,
  );

  const messages = thread.messages.map(([by, hoursAgo, content], index): MessageRow => {
    const isRead = index < thread.messages.length - thread.unread;
    return {
      id: idOf('message', `${thread.farm} ${thread.with} ${index}`),
      senderId: people[by],
      receiverId: people[by === 'F' ? 'O' : 'F'],
      authorId: by === 'F' && thread.writtenBy ? idOf('user', thread.writtenBy) : null,
      content,
      relatedOrderId: (thread.isAboutOrder && index === 0 && order?.order.id) || null,
      createdAt: before(now, hoursAgo * HOUR_MS),
      readAt: isRead ? before(now, hoursAgo * HOUR_MS - 4 * MINUTE_MS) : null,
    };
  });

  const last = messages.at(-1);
  if (!last) return { messages: [], conversations: [] };
  const viewOf = (userId: string, otherId: string) => ({
    userId,
    otherId,
    lastMessageId: last.id,
    lastMessageAt: last.createdAt,
    unreadCount: messages.filter(({ receiverId, readAt }) => receiverId === userId && !readAt)
      .length,
  });
  return {
    messages,
    conversations: [viewOf(people.F, people.O), viewOf(people.O, people.F)],
  };
}

/** A conversation of the demo market between a farm and somebody. */
export interface DemoThread {
  farm: FarmKey;
  with: ConsumerEmail | typeof admin.email;
  /** Who of the staff writes for the farm; its owner without one. */
  writtenBy?: StaffEmail;
  /** Whether the first message is about the latest order between the two. */
  isAboutOrder?: true;
  /** In time order: who wrote (`F` the farm, `O` the other), how many hours ago, and what. */
  messages: readonly (readonly [by: 'F' | 'O', hoursAgo: number, content: string])[];
  /** How many of the last messages their receiver has not read. */
  unread: number;
}

export const threads: readonly DemoThread[] = [
  {
    farm: 'green-valley',
    with: 'consumer@farmgate.test',
    isAboutOrder: true,
    messages: [
      ['O', 52, 'Hi Hina, are the tomatoes ripe enough for sauce this week?'],
      [
        'F',
        51.2,
        'They are. I would take the ribbed ones with a few of the yellow: less water in the pan.',
      ],
      ['O', 51, 'Sold. Can I come by after six on Wednesday?'],
      ['F', 50.4, 'Wednesdays we are here until eight. The red gate is open, just walk in.'],
      ['O', 3.1, 'One more thing: could you add a handful of basil if you have any?'],
      ['O', 3, 'And how long do the peas keep in the pod?'],
    ],
    unread: 2,
  },
  {
    farm: 'green-valley',
    with: 'consumer2@farmgate.test',
    writtenBy: 'ben@farmgate.test',
    messages: [
      ['O', 27, 'Do you deliver to Saddar on Fridays?'],
      ['F', 26.1, 'Every second Friday, and this one is yes. Before noon if that suits you.'],
      ['O', 25.7, 'Perfect, I will order tonight.'],
      ['F', 7.5, 'The corn came in early, so I put some aside for you.'],
    ],
    unread: 1,
  },
  {
    farm: 'green-valley',
    with: 'jonas@farmgate.test',
    messages: [
      ['O', 122, 'Is the farm walk on Saturday fine for a four-year-old?'],
      ['F', 120.5, 'The best age for it. Bring boots, the lower field is wet.'],
      ['O', 95, 'She talked about the peas all day. Thank you, Hina.'],
    ],
    unread: 0,
  },
  {
    farm: 'stony-brook',
    with: 'consumer@farmgate.test',
    isAboutOrder: true,
    messages: [
      ['O', 75, 'Which of your apples hold their shape in a tart?'],
      ['F', 73.8, 'Kala Kullu, every time. I will sort yours by hand.'],
      ['O', 73.5, 'You are a treasure.'],
      [
        'F',
        5.2,
        'Packed and in the shed. Sunday we close at five sharp, my daughter has a wedding to go to.',
      ],
    ],
    unread: 1,
  },
  {
    farm: 'stony-brook',
    with: 'grace@farmgate.test',
    messages: [
      ['O', 30, 'Will there be more cherries this year?'],
      ['F', 28, 'I am afraid that was the last of them. Peaches start today, though.'],
      ['O', 1.3, 'Then peaches it is. Are they good for preserving?'],
    ],
    unread: 1,
  },
  {
    farm: 'high-pasture',
    with: 'consumer@farmgate.test',
    messages: [
      ['O', 200, 'I have six empty bottles here. Do I get the deposit back at the fridge?'],
      ['F', 198, 'Just leave them in the blue crate, and I take it off your next order.'],
      ['O', 197.5, 'Done, thanks.'],
    ],
    unread: 0,
  },
  {
    farm: 'three-rivers',
    with: 'priya@farmgate.test',
    isAboutOrder: true,
    messages: [
      ['O', 49, 'Could the microgreens be cut on the day? Last time they lasted a week that way.'],
      ['F', 48.4, 'Of course. What is reserved before noon I cut after noon.'],
      ['O', 48.2, 'That is why I keep coming back.'],
    ],
    unread: 0,
  },
  {
    farm: 'meadowlark',
    with: 'consumer2@farmgate.test',
    messages: [
      ['O', 18, 'It is our anniversary on Saturday. No lilies, please, the cat eats them.'],
      ['F', 17.2, 'No lilies, promised. Shall I write a card?'],
    ],
    unread: 1,
  },
  {
    farm: 'noor',
    with: 'zainab@farmgate.test',
    isAboutOrder: true,
    messages: [
      ['O', 21, 'السلام علیکم، کیا امرود کل تک تیار ہو جائیں گے؟'],
      ['F', 20.4, 'وعلیکم السلام، جی ہاں۔ صبح چن کر رکھ دوں گی۔'],
      ['O', 20, 'بہت شکریہ! میں چار بجے آؤں گی۔'],
      ['O', 1.6, 'کیا میتھی کے دو گٹھے بھی مل سکتے ہیں؟'],
    ],
    unread: 1,
  },
  {
    farm: 'green-valley',
    with: admin.email,
    messages: [
      ['F', 70, 'Hello, how do I change the name on my account? I kept my maiden name.'],
      ['O', 68.5, 'You can do that yourself under Profile. The orders so far keep working.'],
      ['F', 68.3, 'Found it, thank you.'],
    ],
    unread: 0,
  },
];
