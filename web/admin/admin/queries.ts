import {
  infiniteQueryOptions,
  type QueryClient,
  type QueryKey,
  queryOptions,
  replaceEqualDeep,
} from '@tanstack/react-query';
import type { Connected } from '#contract/admin/admin/admin';
import { adminApi } from '#contract/admin/admin/constants';
import { moderationApi, type ReportOutcome } from '#contract/admin/moderation/constants';
import { productsApi } from '#contract/catalogue/products/constants/products';
import type { SetProductHiding } from '#contract/catalogue/products/products';
import { secondFactorApi } from '#contract/people/second-factor/constants';
import type { RemoveSecondFactor } from '#contract/people/second-factor/second-factor';
import { usersApi } from '#contract/people/users/constants';
import { t } from '#contract/platform/text/constants/texts';
import { call, dataOf } from '../../platform/api/api.ts';
import { paging, rootKeys } from '../../platform/queries/pages.ts';
import { useCommand } from '../../platform/queries/use-command.ts';
import { toastError } from '../../platform/ui/feedback/toast.ts';
import { type AuditFilters, adminKeys, FEED_LENGTH, type ReportFilters } from './keys.ts';

const NOTES_PAGE_SIZE = 100;
const MESSAGES_PAGE_SIZE = 50;
const PAGE_SIZE = 24;
const AUDIT_PAGE_SIZE = 50;
/** Messages between two other people are not pushed to admins, so an open conversation asks again. */
const CONVERSATION_REFRESH_MS = 20_000;

/** A list that is fetched page by page, each from its cursor. */
const listQuery = <Key extends QueryKey, Page extends { nextCursor: string | null }>(
  queryKey: Key,
  fetchPage: (cursor: string | null, signal: AbortSignal) => Promise<Page>,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    ...paging,
  });

/** The figures of the whole market. */
export const adminStatsQuery = () =>
  queryOptions({ queryKey: adminKeys.stats(), queryFn: dataOf(adminApi.stats) });

/** The live feed of the market, latest first. */
export const adminFeedQuery = () => ({
  ...queryOptions({
    queryKey: adminKeys.feed(),
    queryFn: dataOf(adminApi.feed, { query: { limit: FEED_LENGTH } }),
  }),
  // Without `keepNewer`: an item shows the order as it was at that time.
  structuralSharing: replaceEqualDeep,
});

/** Who is connected; filled by events only. */
export const connectedQuery = () =>
  queryOptions({
    queryKey: adminKeys.connected(),
    queryFn: (): Connected | null => null,
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

/** The internal notes about an order, oldest first. */
export const notesQuery = (id: string) =>
  listQuery(adminKeys.orderNotes(id), (cursor, signal) =>
    call(adminApi.notes, { params: { id }, query: { limit: NOTES_PAGE_SIZE, cursor }, signal }),
  );

/** The internal notes about a person, oldest first. */
export const userNotesQuery = (id: string) =>
  listQuery(adminKeys.userNotes(id), (cursor, signal) =>
    call(adminApi.userNotes, { params: { id }, query: { limit: NOTES_PAGE_SIZE, cursor }, signal }),
  );

/** The messages between the parties of an order: the newest page first, then older ones. */
export const conversationQuery = (id: string) => ({
  ...listQuery(adminKeys.conversation(id), (before, signal) =>
    call(adminApi.orderMessages, {
      params: { id },
      query: { limit: MESSAGES_PAGE_SIZE, before },
      signal,
    }),
  ),
  refetchInterval: CONVERSATION_REFRESH_MS,
});

/** A person with their farm and figures. */
export const personQuery = (id: string) =>
  queryOptions({
    queryKey: adminKeys.personFigures(id),
    queryFn: dataOf(adminApi.person, { params: { id } }),
  });

/** The orders that a person placed or received, newest first. */
export const personOrdersQuery = (id: string) =>
  listQuery(adminKeys.personOrders(id), (cursor, signal) =>
    call(adminApi.personOrders, { params: { id }, query: { limit: PAGE_SIZE, cursor }, signal }),
  );

/** The products of a farmer, inactive and hidden ones too, newest first. */
export const personProductsQuery = (id: string) =>
  listQuery(adminKeys.personProducts(id), (cursor, signal) =>
    call(adminApi.personProducts, { params: { id }, query: { limit: PAGE_SIZE, cursor }, signal }),
  );

/** What admins did. */
export const auditQuery = (filters: AuditFilters = {}) =>
  listQuery(adminKeys.audit(filters), (cursor, signal) =>
    call(adminApi.audit, { query: { ...filters, limit: AUDIT_PAGE_SIZE, cursor }, signal }),
  );

/** What was reported, newest first. */
export const reportsQuery = (filters: ReportFilters = {}) =>
  listQuery(adminKeys.reportList(filters), (cursor, signal) =>
    call(moderationApi.reports, { query: { ...filters, limit: PAGE_SIZE, cursor }, signal }),
  );

/** A reported message with the few around it. */
export const reportedMessagesQuery = (id: string) =>
  queryOptions({
    queryKey: adminKeys.reportedMessages(id),
    queryFn: dataOf(moderationApi.reportedMessages, { params: { id } }),
  });

/** The products that admins have hidden, the last changed first. */
export const hiddenProductsQuery = () =>
  listQuery(adminKeys.hiddenProducts(), (cursor, signal) =>
    call(adminApi.hiddenProducts, { query: { limit: PAGE_SIZE, cursor }, signal }),
  );

/** Returns what fetches these again, and everything below them. */
const refetchAll =
  (...keys: readonly QueryKey[]) =>
  (cache: QueryClient) =>
    Promise.all(keys.map((queryKey) => cache.invalidateQueries({ queryKey })));

/** Grants this browser access to the job queue board and navigates to it. */
export const useOpenQueues = () =>
  useCommand(() => call(adminApi.openQueues), {
    onSuccess: () => window.location.assign('/admin/queues'),
  });

/** A note that is to be written. The id is the caller's, so that a retry is the same note. */
type NewNote = { _id: string; content: string };

/** Writes an internal note about an order. */
export const useAddNote = (id: string) =>
  useCommand((body: NewNote) => call(adminApi.addNote, { params: { id }, body }), {
    onSuccess: refetchAll(adminKeys.orderNotes(id)),
  });

/** Writes an internal note about a person. */
export const useAddUserNote = (id: string) =>
  useCommand((body: NewNote) => call(adminApi.addUserNote, { params: { id }, body }), {
    onSuccess: refetchAll(adminKeys.userNotes(id)),
  });

/** Suspends an account, or lets it in again. */
export const useSetSuspension = (id: string) =>
  useCommand(
    (body: { suspended: boolean; reason?: string }) =>
      call(moderationApi.setSuspension, { params: { id }, body }),
    {
      onSuccess: refetchAll(rootKeys.users, adminKeys.people(), adminKeys.audits()),
      done: (_, { suspended }) => (suspended ? t('Account suspended.') : t('Account restored.')),
    },
  );

/** Has an account mailed again whose address a mail server refused. */
export const useMailAgain = (id: string) =>
  useCommand(() => call(usersApi.mailAgain, { params: { id } }), {
    onSuccess: refetchAll(rootKeys.users, adminKeys.people(), adminKeys.audits()),
    done: t('They get mails again, unless they are refused again.'),
  });

/** Removes the second factor of somebody who lost it. */
export function useRemoveSecondFactor(id: string) {
  const refetch = refetchAll(adminKeys.people(), adminKeys.audits());
  return useCommand(
    (body: RemoveSecondFactor) => call(secondFactorApi.removeOfUser, { params: { id }, body }),
    {
      onSuccess: refetch,
      done: t("Second factor removed. We've told them."),
      onError: (error, cache) => {
        toastError(error);
        // Somebody else may have removed it.
        return refetch(cache);
      },
    },
  );
}

/** Settles a report. */
export const useSettleReport = (id: string) =>
  useCommand(
    (body: { outcome: ReportOutcome; note?: string }) =>
      call(moderationApi.settleReport, { params: { id }, body }),
    {
      done: t("Report settled. We'll tell the person who made it."),
      // Also of a refusal: somebody else may have settled it.
      invalidates: adminKeys.reports(),
    },
  );

/** Hides a product, or shows it again. */
export const useSetProductHiding = (id: string) =>
  useCommand(
    (body: Partial<SetProductHiding> & Pick<SetProductHiding, 'hidden'>) =>
      call(productsApi.setHiding, { params: { id }, body }),
    {
      onSuccess: refetchAll(rootKeys.products, adminKeys.people()),
      done: (_, { hidden }) =>
        hidden ? t("Product hidden. We've told the farmer.") : t('Product shown again.'),
    },
  );
