import { Plus, Sprout, X } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useState } from 'react';
import { type FieldError, useController, useWatch } from 'react-hook-form';
import { cleanText } from '#contract/platform/text/constants/text';
import { t } from '#contract/platform/text/constants/texts';
import { FarmLandscape } from '../../platform/ui/art/FarmLandscape.tsx';
import { Field, Input } from '../../platform/ui/fields/Field.tsx';
import { AddressFields, TextField } from '../../platform/ui/form/fields.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import type { PictureField } from '../../platform/uploads/ImageUpload.tsx';
import type { FarmForm } from './farm-profile-form.ts';

/** The phone and address of a farm whose founder has left: nobody's profile has them any more. */
export function ContactFields({ form }: { form: FarmForm }) {
  return (
    <>
      <TextField
        form={form}
        name="contact.phone"
        label={t('Phone')}
        type="tel"
        className="sm:col-span-2"
      />
      <AddressFields form={form} name="contact.address" />
    </>
  );
}

/** The fields of a farm's cover and photo, each in the shape in which consumers see it. */
export function FarmPictures({
  form: { control },
  pictureField,
  onUploading,
}: {
  form: FarmForm;
  pictureField: PictureField;
  /** Called with whether a picture of the two is being uploaded. */
  onUploading: (isUploading: boolean) => void;
}) {
  const [isCoverUploading, setCoverUploading] = useState(false);
  const [isPhotoUploading, setPhotoUploading] = useState(false);
  const isUploading = isCoverUploading || isPhotoUploading;
  useEffect(() => onUploading(isUploading), [isUploading, onUploading]);
  const cover = useController({ control, name: 'cover' });
  const photo = useController({ control, name: 'photo' });
  const farmName = useWatch({ control, name: 'farmName' });
  return (
    <>
      {pictureField({
        label: t('Cover picture'),
        hint: t('Wide, at the top of your page and on your card. Without one we draw a landscape.'),
        url: cover.field.value ?? null,
        onChange: cover.field.onChange,
        onUploading: setCoverUploading,
        fallback: <FarmLandscape name={farmName} className="aspect-auto h-full" />,
        frameClass: 'aspect-2/1 w-full max-w-md rounded',
        error: cover.fieldState.error?.message,
      })}
      {pictureField({
        label: t('Photo'),
        hint: t('You, your family or your stand. Without one only the farm’s name is shown.'),
        url: photo.field.value ?? null,
        onChange: photo.field.onChange,
        onUploading: setPhotoUploading,
        fallback: (
          <span className="grid size-full place-items-center bg-leaf-soft text-leaf-ink">
            <Sprout className="size-10" />
          </span>
        ),
        frameClass: 'size-28 rounded-full',
        error: photo.fieldState.error?.message,
      })}
    </>
  );
}

/** Several entries may be pasted at once, from a list or a column of a spreadsheet. */
const SEPARATORS = /[,;\t\r\n]+/;

/** A list of short texts to edit. Blank and duplicate entries are not added. */
export function TextListField({
  form: { control },
  name,
  label,
  addLabel = t('Add'),
  hint,
  placeholder,
  maxLength,
  distinct = (texts) => texts,
}: {
  form: FarmForm;
  name: 'farmingPractices' | 'deliveryAreas';
  label: string;
  addLabel?: string;
  hint?: string;
  placeholder: string;
  maxLength: number;
  /** Leaves out what says the same in other letters. */
  distinct?: (texts: readonly string[]) => readonly string[];
}) {
  const { field, fieldState } = useController({ control, name });
  const values = field.value;
  const onChange = (texts: readonly string[]) => field.onChange(distinct(texts));
  const [draft, setDraft] = useState('');
  const add = (texts: readonly string[]) => {
    const added = texts.map(cleanText).filter((text) => text !== '');
    const next = [...new Set([...values, ...added])];
    if (next.length > values.length) onChange(next);
  };
  const addDraft = () => {
    add([draft]);
    setDraft('');
  };
  const addByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // Enter must not submit the form.
    event.preventDefault();
    addDraft();
  };
  const addPasted = (event: ClipboardEvent) => {
    const texts = event.clipboardData.getData('text').trim().split(SEPARATORS);
    if (texts.length < 2) return;
    event.preventDefault();
    add(texts.map((text) => text.trim().slice(0, maxLength)));
  };
  return (
    <div className="grid gap-3">
      <Field label={label} hint={hint} error={firstMessage(fieldState.error)}>
        <div className="flex gap-2">
          <Input
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
            onKeyDown={addByKey}
            onPaste={addPasted}
            placeholder={placeholder}
            maxLength={maxLength}
          />
          <Button variant="secondary" icon={<Plus />} onClick={addDraft} className="shrink-0">
            {addLabel}
          </Button>
        </div>
      </Field>
      <ul aria-label={label} className="flex flex-wrap gap-2 empty:hidden">
        {values.map((value) => (
          <li
            key={value}
            className="inline-flex max-w-full items-center rounded-full bg-leaf-soft ps-3 text-sm text-leaf-ink animate-fade-in"
          >
            <bdi className="min-w-0 break-words py-1">{value}</bdi>
            <button
              type="button"
              aria-label={t('Remove {name}', { name: value })}
              onClick={() => onChange(values.filter((each) => each !== value))}
              className="grid size-9 shrink-0 place-items-center rounded-full hover:text-tomato pointer-coarse:size-11"
            >
              <X className="size-4" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Returns the message of a list, or of its first entry that has one. */
const firstMessage = (error: FieldError | undefined): string | undefined =>
  [error, ...(Array.isArray(error) ? (error as (FieldError | undefined)[]) : [])].find(
    (each) => each?.message,
  )?.message;
