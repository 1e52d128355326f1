import { useInfiniteQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import type { AdminNote } from '#contract/admin';
import { NOTE_MAX } from '#contract/constants/admin';
import { cleanText } from '#contract/constants/text';
import { newId } from '../lib/new-id.ts';
import { itemsOf, type ListAnswer } from '../lib/pages.ts';
import { Button } from '../ui/primitives/Button.tsx';
import { Card, CardHeader } from '../ui/primitives/Card.tsx';
import { Field } from '../ui/primitives/Field.tsx';
import { LoadMore } from '../ui/primitives/LoadMore.tsx';
import { PagedList, type PagedQuery } from '../ui/primitives/PagedList.tsx';
import { Skeleton } from '../ui/primitives/Skeleton.tsx';
import { Textarea } from '../ui/primitives/Textarea.tsx';
import { Time } from '../ui/primitives/Time.tsx';
import { toastError } from '../ui/toast.ts';
import { notesQuery, useAddNote, useAddUserNote, userNotesQuery } from './case-queries.ts';

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
