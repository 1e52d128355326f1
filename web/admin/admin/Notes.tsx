import { useInfiniteQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import type { AdminNote } from '#contract/admin/admin/admin';
import { NOTE_MAX } from '#contract/admin/admin/constants';
import type { Message } from '#contract/farm/messages/messages';
import type { Order } from '#contract/ordering/orders/orders';
import { cleanText } from '#contract/platform/text/constants/text';
import { newId } from '../../platform/api/new-id.ts';
import { itemsOf, type ListAnswer } from '../../platform/queries/pages.ts';
import { cn } from '../../platform/ui/cn.ts';
import { Skeleton, SkeletonText } from '../../platform/ui/feedback/Skeleton.tsx';
import { toastError } from '../../platform/ui/feedback/toast.ts';
import { Field } from '../../platform/ui/fields/Field.tsx';
import { Textarea } from '../../platform/ui/fields/Textarea.tsx';
import { LoadMore } from '../../platform/ui/lists/LoadMore.tsx';
import { PagedList, type PagedQuery } from '../../platform/ui/lists/PagedList.tsx';
import { Badge } from '../../platform/ui/primitives/Badge.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader } from '../../platform/ui/primitives/Card.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';
import {
  conversationQuery,
  notesQuery,
  useAddNote,
  useAddUserNote,
  userNotesQuery,
} from './queries.ts';

/** The internal notes about an order. */
export function OrderNotes({ orderId }: { orderId: string }) {
  return (
    <Notes
      query={useInfiniteQuery(notesQuery(orderId))}
      add={useAddNote(orderId)}
      removed="Removed, because an account of this order was deleted."
    />
  );
}

/** The internal notes about a person. */
export function UserNotes({ userId }: { userId: string }) {
  return (
    <Notes
      query={useInfiniteQuery(userNotesQuery(userId))}
      add={useAddUserNote(userId)}
      removed="Removed, because this account was deleted."
    />
  );
}

type NotesQuery = PagedQuery & { data: { pages: ListAnswer<AdminNote>[] } | undefined };

/** Internal notes and the form for another one. Notes cannot be changed. */
function Notes({
  query,
  add,
  removed,
}: {
  query: NotesQuery;
  add: ReturnType<typeof useAddNote>;
  /** Stands in the place of a note whose text was erased. */
  removed: string;
}) {
  return (
    <Card as="section" aria-labelledby="notes" className="grid gap-4">
      <CardHeader id="notes" title="Internal notes" className="mb-0">
        <span className="inline-flex items-center gap-1.5 text-xs text-ink-soft">
          <Lock aria-hidden="true" className="size-3.5" />
          Only admins see these
        </span>
      </CardHeader>
      <PagedList
        query={query}
        items={itemsOf(query.data)}
        skeleton={<Skeleton className="h-5 w-2/5" />}
        empty={<p className="text-sm text-ink-soft">No notes yet.</p>}
        more={
          <LoadMore
            hasMore={query.hasNextPage}
            pending={query.isFetchingNextPage}
            failed={query.isFetchNextPageError}
            onMore={query.fetchNextPage}
            label="Later notes"
          />
        }
      >
        {(notes) => (
          <ol aria-label="Notes" className="grid gap-3" aria-live="polite">
            {notes.map((note) => (
              <li key={note._id} className="border-l-2 border-straw pl-3 text-sm">
                <p className="whitespace-pre-line wrap-anywhere">
                  {note.content || <span className="text-ink-soft">{removed}</span>}
                </p>
                <p className="mt-1 text-xs text-ink-soft">
                  {note.author.name}, <Time value={note.createdAt} />
                </p>
              </li>
            ))}
          </ol>
        )}
      </PagedList>
      <NoteForm add={add} />
    </Card>
  );
}

function NoteForm({ add }: { add: ReturnType<typeof useAddNote> }) {
  const [text, setText] = useState('');
  // Kept until the note is stored, so that another try is the same note.
  const [id, setId] = useState(newId);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const content = cleanText(text);
    if (content === '' || add.isPending) return;
    add.mutate(
      { _id: id, content },
      {
        onSuccess: () => {
          setText('');
          setId(newId());
        },
        onError: toastError,
      },
    );
  };
  return (
    <form onSubmit={submit} className="grid gap-2">
      <Field label="Add a note">
        <Textarea
          rows={3}
          maxLength={NOTE_MAX}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <Button
        type="submit"
        variant="secondary"
        pending={add.isPending}
        pendingLabel="Saving..."
        // Not `disabled`: it empties with the note that it saves, and keeps the focus.
        aria-disabled={cleanText(text) === '' || undefined}
        className="justify-self-start"
      >
        Save note
      </Button>
    </form>
  );
}

/** Returns the loaded messages in time order; each page is in time order, the newest page first. */
export function inTimeOrder(pages: readonly { data: readonly Message[] }[]): Message[] {
  const messages = pages.toReversed().flatMap((page) => page.data);
  return [...new Map(messages.map((message) => [message._id, message])).values()];
}

/** What the two parties of an order wrote to each other, to read only. */
export function OrderConversation({ order }: { order: Order }) {
  const query = useInfiniteQuery(conversationQuery(order._id));
  return (
    <Card as="section" aria-labelledby="conversation" className="min-w-0">
      <CardHeader id="conversation" title="Conversation">
        <span className="text-xs text-ink-soft">The audit notes that you read it</span>
      </CardHeader>
      <PagedList
        query={query}
        items={inTimeOrder(query.data?.pages ?? [])}
        skeleton={<SkeletonText lines={4} />}
        empty={<p className="text-sm text-ink-soft">They haven't written to each other.</p>}
        // Older messages stand above.
        more={null}
      >
        {(messages) => (
          <div
            role="log"
            aria-label={`Messages between ${order.consumer.name} and ${order.farmer.name}`}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it.
            tabIndex={0}
            className="max-h-[32rem] overflow-y-auto overscroll-contain pr-1"
          >
            {query.hasNextPage && (
              <Button
                variant="quiet"
                size="sm"
                pending={query.isFetchingNextPage}
                onClick={() => query.fetchNextPage()}
                className="mx-auto mb-2 flex"
              >
                {query.isFetchNextPageError ? 'Try again' : 'Earlier messages'}
              </Button>
            )}
            <ol className="grid gap-3">
              {messages.map((message) => (
                <Words key={message._id} message={message} order={order} />
              ))}
            </ol>
          </div>
        )}
      </PagedList>
    </Card>
  );
}

function Words({ message, order }: { message: Message; order: Order }) {
  const isFarmer = message.sender._id === order.farmer._id;
  return (
    <li className={cn('flex flex-col', isFarmer ? 'items-end' : 'items-start')}>
      <div
        className={cn(
          'max-w-[min(34rem,90%)] rounded border border-transparent px-3.5 py-2 text-sm',
          isFarmer ? 'bg-leaf-soft' : 'bg-sunken',
        )}
      >
        <p className="mb-0.5 flex flex-wrap items-center gap-x-2 text-xs">
          <span className="font-medium">{message.sender.name}</span>
          <Time value={message.createdAt} className="text-ink-soft" />
          {message.relatedOrder === order._id && (
            <Badge className="bg-surface">About this order</Badge>
          )}
        </p>
        <p className="whitespace-pre-wrap wrap-anywhere">{message.content}</p>
      </div>
    </li>
  );
}
