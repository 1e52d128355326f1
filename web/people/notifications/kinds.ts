import {
  AlarmClock,
  CalendarCheck,
  CalendarClock,
  CirclePause,
  CircleX,
  Clock,
  EyeOff,
  Flag,
  FlagOff,
  Heart,
  Leaf,
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
import { type Message, msg } from '#contract/platform/text/constants/texts';

/** What a kind of notification is to the people who get it. */
interface Kind {
  icon: LucideIcon;
  /** What happened. */
  hint: Message;
  /** Who gets it at all. */
  roles: readonly [Role, ...Role[]];
}

/** In the order in which they are shown. */
export const KINDS: Record<NotificationKind, Kind> = {
  'order.placed': {
    icon: ShoppingBasket,
    hint: msg('Someone ordered from your farm.'),
    roles: ['farmer'],
  },
  'order.unanswered': {
    icon: Clock,
    hint: msg('An order is still waiting for your answer.'),
    roles: ['farmer'],
  },
  'order.cutoff': {
    icon: CalendarClock,
    hint: msg('Orders for a day closed while some had no answer.'),
    roles: ['farmer'],
  },
  'order.cancelledByConsumer': {
    icon: CircleX,
    hint: msg('A customer cancelled an order.'),
    roles: ['farmer'],
  },
  'order.statusChanged': {
    icon: PackageCheck,
    hint: msg('A farm accepted, rejected or completed an order.'),
    roles: ['consumer'],
  },
  'order.slotMoved': {
    icon: CalendarClock,
    hint: msg('The pickup of an order got another time or place.'),
    roles: ['consumer', 'farmer'],
  },
  'order.kept': {
    icon: CalendarCheck,
    hint: msg('A farm closed a day, time or way, and your order stays as it is.'),
    roles: ['consumer'],
  },
  'order.reminder': {
    icon: AlarmClock,
    hint: msg('An order is picked up or delivered the next day.'),
    roles: ['consumer'],
  },
  'order.changeProposed': {
    icon: MessageCircleQuestion,
    hint: msg('A farm is short of something and asks what you would like.'),
    roles: ['consumer'],
  },
  'order.changeAnswered': {
    icon: MessageCircleReply,
    hint: msg('A customer answered your change of an order.'),
    roles: ['farmer'],
  },
  'order.changeExpired': {
    icon: Clock,
    hint: msg('A change of an order was not answered in time.'),
    roles: ['consumer', 'farmer'],
  },
  'order.itemsChanged': {
    icon: ListChecks,
    hint: msg('An order has other quantities now.'),
    roles: ['consumer', 'farmer'],
  },
  'order.weighed': {
    icon: Scale,
    hint: msg('A farm weighed your order, so its total is known.'),
    roles: ['consumer'],
  },
  'picklist.changed': {
    icon: ListChecks,
    hint: msg('Orders changed after the pick list was printed, and nobody has seen it.'),
    roles: ['farmer'],
  },
  'message.unread': {
    icon: MessageCircle,
    hint: msg("A message you haven't read yet."),
    roles: ['consumer', 'farmer', 'admin'],
  },
  'stock.low': { icon: TriangleAlert, hint: msg('A product is running out.'), roles: ['farmer'] },
  'stock.back': {
    icon: PackagePlus,
    hint: msg('A product you asked about is in stock again.'),
    roles: ['consumer'],
  },
  'farm.newProducts': {
    icon: Heart,
    hint: msg('A farm you follow has new products, at most once a day.'),
    roles: ['consumer'],
  },
  'product.hidden': {
    icon: EyeOff,
    hint: msg('An admin hid one of your products or showed it again.'),
    roles: ['farmer'],
  },
  'account.security': {
    icon: ShieldCheck,
    hint: msg('How you sign in was changed.'),
    roles: ['consumer', 'farmer', 'admin'],
  },
  'order.leftUnanswered': {
    icon: Clock,
    hint: msg('A farm has left an order without an answer for too long.'),
    roles: ['admin'],
  },
  'report.opened': {
    icon: Flag,
    hint: msg('Someone reported a product, a farm, a message or an order.'),
    roles: ['admin'],
  },
  'report.settled': {
    icon: FlagOff,
    hint: msg('We looked at something you reported.'),
    roles: ['consumer', 'farmer'],
  },
  'farm.waiting': { icon: Sprout, hint: msg('A farm asks for your approval.'), roles: ['admin'] },
  'farm.approval': {
    icon: Sprout,
    hint: msg('An admin approved your farm, or asks for a change.'),
    roles: ['farmer'],
  },
  'farm.paused': {
    icon: CirclePause,
    hint: msg('Nobody answered, so your farm takes no orders for a while.'),
    roles: ['farmer'],
  },
  'farm.certificate': {
    icon: Leaf,
    hint: msg('Your organic certificate is about to end, or has ended.'),
    roles: ['farmer'],
  },
  'store.outage': {
    icon: TriangleAlert,
    hint: msg('The database or Redis was away, or took no writes.'),
    roles: ['admin'],
  },
};
