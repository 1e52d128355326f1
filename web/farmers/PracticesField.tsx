import { Plus, X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { Button } from '../ui/primitives/Button.tsx';
import { Field } from '../ui/primitives/Field.tsx';
import { Input } from '../ui/primitives/Input.tsx';

/** A list of farming practices to edit. Blank and duplicate entries are not added. */
export function PracticesField({
  practices,
  onChange,
  error,
}: {
  practices: readonly string[];
  onChange: (practices: string[]) => void;
  error?: string | undefined;
}) {
  const [draft, setDraft] = useState('');
  const add = () => {
    const practice = draft.trim();
    if (practice === '') return;
    if (!practices.includes(practice)) onChange([...practices, practice]);
    setDraft('');
  };
  const addByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // Enter must not submit the form.
    event.preventDefault();
    add();
  };
  return (
    <div className="grid gap-3">
      <div className="flex items-end gap-2">
        <Field label="Farming practices" error={error} className="grow">
          <Input
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
            onKeyDown={addByKey}
            placeholder="For example: no-till, crop rotation"
            maxLength={80}
          />
        </Field>
        <Button variant="secondary" icon={<Plus />} onClick={add}>
          Add
        </Button>
      </div>
      <ul aria-label="Farming practices" className="flex flex-wrap gap-2 empty:hidden">
        {practices.map((practice) => (
          <li
            key={practice}
            className="inline-flex max-w-full items-center rounded-full bg-leaf-soft pl-3 text-sm text-leaf-ink animate-fade-in"
          >
            <span className="min-w-0 break-words py-1">{practice}</span>
            <button
              type="button"
              aria-label={`Remove ${practice}`}
              onClick={() => onChange(practices.filter((each) => each !== practice))}
              className="grid size-9 shrink-0 place-items-center rounded-full hover:text-tomato pointer-coarse:size-11"
            >
              <X aria-hidden="true" className="size-4" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
