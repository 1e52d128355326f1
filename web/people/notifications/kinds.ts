import {
  CalendarClock,
  CircleX,
  Clock,
  EyeOff,
  Flag,
  FlagOff,
  ListChecks,
  type LucideIcon,
  MessageCircle,
  MessageCircleQuestion,
  MessageCircleReply,
  PackageCheck,
  PackagePlus,
  Scale,
  ShieldCheck,
  ShoppingBasket,
  Sprout,
  TriangleAlert,
} from 'lucide-react';
import type { NotificationKind } from '#contract/people/notifications/notifications';
import type { Role } from '#contract/platform/http/http';

/** What a kind of notification is to the people who get it. */
interface Kind {
  icon: LucideIcon;
  /** What happened. */
  hint: string;
  /** Who gets it at all. */
  roles: readonly [Role, ...Role[]];
}

/** In the order in which they are shown. */
export const KINDS: Record<NotificationKind, Kind> = {
  'order.placed': {
    icon: ShoppingBasket,
    hint: 'Someone ordered from your farm.',
    roles: ['farmer'],
  },
  'order.unanswered': {
    icon: Clock,
    hint: 'An order is still waiting for your answer.',
    roles: ['farmer'],
  },
  'order.cutoff': {
    icon: CalendarClock,
    hint: 'Orders for a day closed while some had no answer.',
    roles: ['farmer'],
  },
  'order.cancelledByConsumer': {
    icon: CircleX,
    hint: 'A customer cancelled an order.',
    roles: ['farmer'],
  },
  'order.statusChanged': {
    icon: PackageCheck,
    hint: 'A farm accepted, rejected or completed an order.',
    roles: ['consumer'],
  },
  'order.slotMoved': {
    icon: CalendarClock,
    hint: 'The pickup of an order got another time or place.',
    roles: ['consumer', 'farmer'],
  },
  'order.changeProposed': {
    icon: MessageCircleQuestion,
    hint: 'A farm is short of something and asks what you would like.',
    roles: ['consumer'],
  },
  'order.changeAnswered': {
    icon: MessageCircleReply,
    hint: 'A customer answered your change of an order.',
    roles: ['farmer'],
  },
  'order.changeExpired': {
    icon: Clock,
    hint: 'A change of an order was not answered in time.',
    roles: ['consumer', 'farmer'],
  },
  'order.itemsChanged': {
    icon: ListChecks,
    hint: 'An order has other quantities now.',
    roles: ['consumer', 'farmer'],
  },
  'order.weighed': {
    icon: Scale,
    hint: 'A farm weighed your order, so its total is known.',
    roles: ['consumer'],
  },
  'picklist.changed': {
    icon: ListChecks,
    hint: 'Orders changed after the pick list was printed, and nobody has seen it.',
    roles: ['farmer'],
  },
  'message.unread': {
    icon: MessageCircle,
    hint: "A message you haven't read yet.",
    roles: ['consumer', 'farmer', 'admin'],
  },
  'stock.low': { icon: TriangleAlert, hint: 'A product is running out.', roles: ['farmer'] },
  'stock.back': {
    icon: PackagePlus,
    hint: 'A product you asked about is in stock again.',
    roles: ['consumer'],
  },
  'product.hidden': {
    icon: EyeOff,
    hint: 'An admin hid one of your products or showed it again.',
    roles: ['farmer'],
  },
  'account.security': {
    icon: ShieldCheck,
    hint: 'How you sign in was changed.',
    roles: ['consumer', 'farmer', 'admin'],
  },
  'order.leftUnanswered': {
    icon: Clock,
    hint: 'A farm has left an order without an answer for too long.',
    roles: ['admin'],
  },
  'report.opened': {
    icon: Flag,
    hint: 'Someone reported a product, a farm, a message or an order.',
    roles: ['admin'],
  },
  'report.settled': {
    icon: FlagOff,
    hint: 'We looked at something you reported.',
    roles: ['consumer', 'farmer'],
  },
  'farm.waiting': { icon: Sprout, hint: 'A farm asks for your approval.', roles: ['admin'] },
  'farm.approval': {
    icon: Sprout,
    hint: 'An admin approved your farm, or asks for a change.',
    roles: ['farmer'],
  },
  'store.outage': {
    icon: TriangleAlert,
    hint: 'The database or Redis was away, or took no writes.',
    roles: ['admin'],
  },
};
