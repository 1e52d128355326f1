import { certificateApi } from '#contract/farm/certificate/certificate';
import { farmersApi } from '#contract/farm/farmers/farmers';
import { membersApi } from '#contract/farm/members/members';
import { messagesApi } from '#contract/farm/messages/messages';
import { openingApi } from '#contract/farm/opening/opening';
import { pauseApi } from '#contract/farm/pause/pause';
import { placesApi } from '#contract/farm/places/places';
import { scheduleApi } from '#contract/farm/schedule/schedule';
import { slotsApi } from '#contract/farm/slots/slots';
import { readSource } from '../people/auth/sources.ts';
import type { Platform } from '../platform/http/platform.ts';
import { dataRoute, listAnswer, listRoute, type Route, route } from '../platform/http/route.ts';
import { actingFarm } from '../platform/sessions/lock-caller.ts';
import { readCertificate, removeCertificate, saveCertificate } from './certificate/service.ts';
import { listFarmers, readFarmer } from './farmers/service.ts';
import { acceptInvitation, listOwnInvitations, readInvitation } from './members/accept.ts';
import {
  inviteByLink,
  inviteMember,
  listMembers,
  readOwnFarm,
  updateMember,
} from './members/service.ts';
import { senderIdentityOf } from './messages/people.ts';
import { listConversations, markThreadRead, readThread, sendMessage } from './messages/service.ts';
import {
  askForApproval,
  decideApproval,
  listFarms,
  presentOpening,
  readFarm,
  setAsideSteps,
} from './opening/service.ts';
import { pauseFarm, readPause, resumeFarm } from './pause/service.ts';
import { createPlace, listPlaces, removePlace } from './places/service.ts';
import { readPossibleDays, readSchedule } from './schedule/service.ts';
import { listFarmSlots, listOfferedSlots } from './slots/read.ts';
import { updateSlot } from './slots/service.ts';

/** Routes of farms; those that move or meet orders are in ordering. */
export const farmRoutes = (platform: Platform): Route[] => [
  // Routes of farms, for everyone.
  listRoute(farmersApi.list, ({ query }) => listFarmers(platform, query)),
  dataRoute(farmersApi.detail, ({ params, user }) => readFarmer(platform, params.id, user)),

  // Routes of the people of a farm, and of their invitations. Removing them stands with the deletion of accounts.
  dataRoute(membersApi.farm, ({ user }) => readOwnFarm(platform, user)),
  dataRoute(membersApi.list, ({ user }) => listMembers(platform, user)),
  dataRoute(membersApi.invite, ({ user, body }) => inviteMember(platform, user, body)),
  dataRoute(membersApi.inviteByLink, ({ user, body }) => inviteByLink(platform, user, body)),
  dataRoute(membersApi.update, ({ params, user, body }) =>
    updateMember(platform, user, params.id, body),
  ),
  dataRoute(membersApi.ownInvitations, ({ user }) => listOwnInvitations(platform, user)),
  dataRoute(membersApi.invitation, ({ params, user }) =>
    readInvitation(platform, params.token, user),
  ),
  route(membersApi.accept, ({ params, user, body, ctx }) =>
    acceptInvitation(platform, { ...params, user, input: body, source: readSource(ctx) }),
  ),

  // Routes of a farm's way into the market.
  route(openingApi.own, async ({ user }) => ({
    data: presentOpening(await readFarm(platform.db, actingFarm(user))),
  })),
  dataRoute(openingApi.ask, ({ user }) => askForApproval(platform, user)),
  dataRoute(openingApi.setAside, ({ user, body }) => setAsideSteps(platform, user, body)),
  listRoute(openingApi.farms, ({ query }) => listFarms(platform, query)),
  dataRoute(openingApi.decide, ({ params, user, body }) =>
    decideApproval(platform, user, params.id, body),
  ),

  // Routes of whether a farm takes orders.
  dataRoute(pauseApi.read, ({ user }) => readPause(platform, user)),
  dataRoute(pauseApi.pause, ({ user, body }) => pauseFarm(platform, user, body)),
  dataRoute(pauseApi.resume, ({ user }) => resumeFarm(platform, user)),

  // Routes of a farm's organic certificate.
  dataRoute(certificateApi.read, ({ user }) => readCertificate(platform, user)),
  dataRoute(certificateApi.save, ({ user, body }) => saveCertificate(platform, user, body)),
  dataRoute(certificateApi.remove, ({ user }) => removeCertificate(platform, user)),

  // Routes of messages and conversations.
  dataRoute(messagesApi.send, ({ user, body }) =>
    sendMessage(platform, senderIdentityOf(user), body),
  ),

  route(messagesApi.conversations, async ({ user, query }) => {
    const page = await listConversations(platform, senderIdentityOf(user), query);
    return { ...listAnswer(page), unreadCount: page.unreadCount };
  }),

  dataRoute(messagesApi.markRead, ({ user, params }) =>
    markThreadRead(platform, senderIdentityOf(user), params.userId),
  ),

  route(messagesApi.thread, async ({ user, params, query }) => {
    const thread = await readThread(platform, senderIdentityOf(user), params.userId, query);
    const { messages, nextCursor, ...rest } = thread;
    return { ...listAnswer({ items: messages, nextCursor }), ...rest };
  }),

  // Routes of a farm's pickup places.
  dataRoute(placesApi.list, ({ user }) => listPlaces(platform, user)),
  dataRoute(placesApi.create, ({ user, body }) => createPlace(platform, user, body)),
  route(placesApi.remove, ({ params, user }) => removePlace(platform, user, params.id)),

  // Routes of a farm's cut-off and closed days, and of the days that follow from them.
  dataRoute(scheduleApi.own, ({ user }) => readSchedule(platform, user)),
  dataRoute(scheduleApi.days, ({ params, query, user }) =>
    readPossibleDays(platform, params.id, query, user),
  ),

  // Routes of pickup slots; those that move orders are in `server/orders`.
  dataRoute(slotsApi.offered, ({ params, query, user }) =>
    listOfferedSlots(platform, params.id, query, user),
  ),
  dataRoute(slotsApi.list, ({ user, query }) => listFarmSlots(platform, actingFarm(user), query)),
  dataRoute(slotsApi.update, ({ params, user, body }) =>
    updateSlot(platform, user, params.id, body),
  ),
];
