import {
  infiniteQueryOptions,
  type QueryKey,
  queryOptions,
  replaceEqualDeep,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { Connected } from '#contract/admin/admin/admin';
import { adminApi } from '#contract/admin/admin/constants';
import { moderationApi, type ReportOutcome } from '#contract/admin/moderation/constants';
import { productsApi } from '#contract/catalogue/products/constants/products';
import type { SetProductHiding } from '#contract/catalogue/products/products';
import { secondFactorApi } from '#contract/people/second-factor/constants';
import type { RemoveSecondFactor } from '#contract/people/second-factor/second-factor';
import { call } from '../../platform/api/api.ts';
import { paging, rootKeys } from '../../platform/queries/pages.ts';
import { toast, toastError } from '../../platform/ui/feedback/toast.ts';
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

const dataQuery = <Key extends QueryKey, Data>(
  queryKey: Key,
  fetchAnswer: (signal: AbortSignal) => Promise<{ data: Data }>,
) => queryOptions({ queryKey, queryFn: async ({ signal }) => (await fetchAnswer(signal)).data });

/** The figures of the whole market. */
export const adminStatsQuery = () =>
  dataQuery(adminKeys.stats(), (signal) => call(adminApi.stats, { signal }));

/** The live feed of the market, latest first. */
export const adminFeedQuery = () => ({
  ...dataQuery(adminKeys.feed(), (signal) =>
    call(adminApi.feed, { query: { limit: FEED_LENGTH }, signal }),
  ),
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
  dataQuery(adminKeys.personFigures(id), (signal) =>
    call(adminApi.person, { params: { id }, signal }),
  );

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
  dataQuery(adminKeys.reportedMessages(id), (signal) =>
    call(moderationApi.reportedMessages, { params: { id }, signal }),
  );

/** The products that admins have hidden, the last changed first. */
export const hiddenProductsQuery = () =>
  listQuery(adminKeys.hiddenProducts(), (cursor, signal) =>
    call(adminApi.hiddenProducts, { query: { limit: PAGE_SIZE, cursor }, signal }),
  );

/** Returns what fetches these again, and everything below them. */
function useRefetch(...keys: readonly QueryKey[]) {
  const cache = useQueryClient();
  return () => Promise.all(keys.map((queryKey) => cache.invalidateQueries({ queryKey })));
}

/** Grants this browser access to the job queue board and navigates to it. */
export function useOpenQueues() {
  return useMutation({
    mutationFn: () => call(adminApi.openQueues),
    onSuccess: () => window.location.assign('/admin/queues'),
    onError: toastError,
  });
}

/** A note that is to be written. The id is the caller's, so that a retry is the same note. */
type NewNote = { _id: string; content: string };

/** Writes an internal note about an order. */
export function useAddNote(id: string) {
  return useMutation({
    mutationFn: (body: NewNote) => call(adminApi.addNote, { params: { id }, body }),
    onSuccess: useRefetch(adminKeys.orderNotes(id)),
  });
}

/** Writes an internal note about a person. */
export function useAddUserNote(id: string) {
  return useMutation({
    mutationFn: (body: NewNote) => call(adminApi.addUserNote, { params: { id }, body }),
    onSuccess: useRefetch(adminKeys.userNotes(id)),
  });
}

/** Suspends an account, or lets it in again. */
export function useSetSuspension(id: string) {
  const refetch = useRefetch(rootKeys.users, adminKeys.people(), adminKeys.audits());
  return useMutation({
    mutationFn: (body: { suspended: boolean; reason?: string }) =>
      call(moderationApi.setSuspension, { params: { id }, body }),
    onSuccess: (_, { suspended }) => {
      toast.success(suspended ? 'Account suspended.' : 'Account restored.');
      return refetch();
    },
    onError: toastError,
  });
}

/** Removes the second factor of somebody who lost it. The form shows what was wrong. */
export function useRemoveSecondFactor(id: string) {
  return useMutation({
    mutationFn: (body: RemoveSecondFactor) =>
      call(secondFactorApi.removeOfUser, { params: { id }, body }),
    onSuccess: () => toast.success("Second factor removed. We've told them."),
    // Somebody else may have removed it.
    onSettled: useRefetch(adminKeys.people(), adminKeys.audits()),
  });
}

/** Settles a report. */
export function useSettleReport(id: string) {
  const refetch = useRefetch(adminKeys.reports());
  return useMutation({
    mutationFn: (body: { outcome: ReportOutcome; note?: string }) =>
      call(moderationApi.settleReport, { params: { id }, body }),
    onSuccess: () => {
      toast.success("Report settled. We'll tell the person who made it.");
      return refetch();
    },
    onError: (error) => {
      toastError(error);
      // Somebody else may have settled it.
      void refetch();
    },
  });
}

/** Hides a product, or shows it again. */
export function useSetProductHiding(id: string) {
  const refetch = useRefetch(rootKeys.products, adminKeys.people());
  return useMutation({
    mutationFn: (body: Partial<SetProductHiding> & Pick<SetProductHiding, 'hidden'>) =>
      call(productsApi.setHiding, { params: { id }, body }),
    onSuccess: (_, { hidden }) => {
      toast.success(hidden ? "Product hidden. We've told the farmer." : 'Product shown again.');
      return refetch();
    },
    onError: toastError,
  });
}
