import type { User } from '#contract/people/users/users';
import { isSoldOut } from '#contract/platform/quantities/constants/steps';
import { bySlotFrom } from '../../ordering/model/order-cache.ts';
import { pickDaysOf, picklistOf } from './pick-world.ts';
import { farmer, offered, orderId, productId, slot, type World } from './world.ts';

const newest = <Item extends { createdAt: string }>(items: Item[]) =>
  items.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
const list = (data: unknown[], more = {}) => ({
  success: true,
  data,
  count: data.length,
  nextCursor: null,
  ...more,
});
const one = (data: unknown) => ({ success: true, data });

/** What the server answers to `me`; undefined is 404. */
export function answer(world: World, me: User, url: URL): unknown {
  const path = url.pathname.replace('/api', '');
  const status = url.searchParams.get('status');
  const isAsked = url.searchParams.has('openChange');
  const orders = newest(world.orders).filter(
    (item) => (!status || item.status === status) && (!isAsked || item.openChange !== null),
  );
  const last = path.split('/').at(-1);
  const ofFarm = url.searchParams.get('farmer');
  const onMarket = newest(world.products).filter(
    (item) =>
      item.isActive &&
      (!ofFarm || item.farmer._id === ofFarm) &&
      (!url.searchParams.has('inStock') || !isSoldOut(item)) &&
      item.price <= Number(url.searchParams.get('maxPrice') ?? item.price) &&
      item.name.includes(url.searchParams.get('search') ?? ''),
  );
  const farms = world.farms.map((farm) => ({
    _id: farm._id,
    description: world.farmDescription,
    productCount: onMarket.filter((item) => item.farmer._id === farm._id).length,
  }));
  switch (path) {
    case '/orders':
    case '/orders/consumer':
    case '/orders/farmer':
      return list(
        url.searchParams.get('sort') === 'slot'
          ? orders.toSorted(bySlotFrom(url.searchParams.get('firstDay') ?? ''))
          : orders,
      );
    case '/orders/stats/farmer':
      return one({
        productCount: world.products.length,
        pendingOrders: world.orders.filter((item) => item.status === 'pending').length,
        unreadMessages: world.messages.filter(
          (item) => item.receiver._id === me._id && !item.isRead,
        ).length,
        recentOrders: newest(world.orders).slice(0, 5),
        lowStock: world.products.filter((item) => item.quantityAvailable < 10),
      });
    case '/orders/stats/farmer/pending':
      return one({
        pendingOrders: world.orders.filter((item) => item.status === 'pending').length,
      });
    case '/products':
      return list(onMarket);
    case '/products/facets':
      return one({
        found: { count: onMarket.length, isExact: true },
        inStock: {
          count: onMarket.filter((item) => !isSoldOut(item)).length,
          isExact: true,
        },
      });
    case '/products/farmer/me':
      return list(newest(world.products));
    case '/market':
      return one(world.market);
    case `/products/${productId(1)}/alert`:
      return one({ isSet: world.isStockAlertSet });
    case '/users/addresses':
      return one(world.addresses);
    case '/notifications/preferences':
      return one({ 'order.statusChanged': { email: world.mailsOrders, push: true } });
    case '/users/me/phone':
      return one({
        phone: '',
        isVerified: world.isPhoneVerified,
        isTextingOn: true,
        codeEndsAt: null,
      });
    case '/categories':
      return list(world.categories);
    case '/attention':
      return one(newest(world.attentions).reverse());
    case '/farm/escalation':
      return one({ isUnreachable: world.members.length > 1, silentUntil: world.farmDescription });
    case '/farm/picklist':
      return one(picklistOf(world, url.searchParams.get('date') ?? ''));
    case '/farm/picklist/days': {
      const [from, to] = ['from', 'to'].map((name) => url.searchParams.get(name) ?? '');
      return one(pickDaysOf(world, from ?? '', to ?? ''));
    }
    case `/farm/products/imports/${world.productImport._id}`:
      return one(world.productImport);
    case '/farm/pause':
      return one({ pauseNote: world.farmDescription });
    case '/admin/feed':
      return list(
        world.isFarmPaused ? [{ _id: `farm.paused:${farmer._id}`, kind: 'farm.paused' }] : [],
      );
    case '/farm/opening':
      return one({ state: world.isFarmWaiting ? 'waiting' : 'preparing', reason: null, steps: [] });
    case '/admin/farms':
      return list(world.isFarmWaiting ? [{ _id: farmer._id, state: 'waiting' }] : []);
    case '/farm/members':
      return one(world.members);
    case '/farm/schedule':
      return one({ cutoff: world.farmDescription });
    case '/farm/payment':
      return one({ details: world.farmDescription });
    case '/farm/places':
      return one(world.places);
    case '/farm/slots':
      return one(world.slots);
    case `/users/farmers/${farmer._id}/slots`:
      return one(world.slots.map(offered));
    case '/users': {
      const isSuspended = url.searchParams.get('state') === 'suspended';
      return list(newest(world.users).filter((item) => !isSuspended || item.isSuspended));
    }
    case '/admin/reports':
      return list(newest(world.reports));
    case '/users/farmers':
      return list(farms);
    case '/follows':
      return one(
        world.follows.flatMap((followed) => {
          const product = onMarket.find(({ _id }) => _id === followed);
          const farm = farms.find(({ _id }) => _id === followed);
          const subject = product ? { product } : farm && { farm };
          return subject
            ? [{ ...subject, since: world.users[0]?.createdAt, state: 'waiting' }]
            : [];
        }),
      );
    case '/notifications':
      return list(newest(world.notifications), {
        unreadCount: world.notifications.filter((item) => !item.isRead).length,
      });
    case '/messages':
      return list(conversations(world, me), {
        unreadCount: world.messages.filter((item) => item.receiver._id === me._id && !item.isRead)
          .length,
      });
    case '/admin/stats':
      return one({
        totalUsers: world.users.length,
        totalOrders: world.orders.length,
        categoryCount: world.categories.length,
        recentOrders: newest(world.orders).slice(0, 5),
        recentProducts: newest(world.products).slice(0, 5),
        unanswered: [],
        attention: {
          openReports: world.reports.length,
          waitingFarms: world.isFarmWaiting ? 1 : 0,
        },
      });
  }
  if (path === `/farm/slots/${slot(1)._id}/orders`) {
    const moved = { at: '2026-11-22T10:00:00.000Z', reason: 'Hail', isRead: world.isMoveSeen };
    return list(newest(world.orders).map((item) => ({ order: item, moved })));
  }
  if (path === `/admin/orders/${orderId(1)}/notes`) return list(world.notes);
  if (path === `/admin/users/${farmer._id}/notes`) return list(world.notes);
  if (path === `/admin/users/${farmer._id}/orders`) return list(newest(world.orders));
  if (path === `/admin/users/${farmer._id}/products`) return list(newest(world.products));
  if (path === `/admin/users/${farmer._id}`) {
    return one({
      user: world.users.find((item) => item._id === farmer._id),
      productCount: world.products.length,
      pending: world.orders.filter((item) => item.status === 'pending').length,
    });
  }
  if (path.startsWith('/orders/')) return one(world.orders.find((item) => item._id === last));
  if (path.startsWith('/products/')) {
    const item = world.products.find((each) => each._id === last);
    const maySee = item?.isActive || me.role === 'admin' || me._id === item?.farmer._id;
    return maySee ? one(item) : undefined;
  }
  if (path.startsWith('/messages/')) {
    const user = world.users.find((item) => item._id === last);
    const thread = world.messages.filter((item) =>
      [item.sender._id, item.receiver._id].includes(last ?? ''),
    );
    return list(newest(thread).reverse(), {
      user: { _id: last, name: user?.name, role: user?.role },
      mayWrite: true,
    });
  }
  if (path.startsWith('/users/farmers/')) {
    if (path.endsWith('/days')) return one([{ date: world.farmDescription }]);
    if (!world.farms.some((farm) => farm._id === last)) return undefined;
    return one({ farmer, profile: { description: world.farmDescription } });
  }
  throw new Error(`The test server has no ${path}`);
}

function conversations(world: World, me: User) {
  const others = world.users.filter((user) => user._id !== me._id);
  return others
    .flatMap((other) => {
      const with_ = world.messages.filter((item) =>
        [item.sender._id, item.receiver._id].includes(other._id),
      );
      const latest = newest(with_)[0];
      if (!latest) return [];
      return [
        {
          user: { _id: other._id, name: other.name, role: other.role },
          lastMessage: {
            _id: latest._id,
            content: latest.content,
            createdAt: latest.createdAt,
            sender: latest.sender._id,
          },
          unreadCount: with_.filter((item) => item.receiver._id === me._id && !item.isRead).length,
        },
      ];
    })
    .toSorted((a, b) => (a.lastMessage.createdAt < b.lastMessage.createdAt ? 1 : -1));
}
