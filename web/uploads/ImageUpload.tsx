import { ImagePlus, X } from 'lucide-react';
import { type DragEvent, useEffect, useId, useState } from 'react';
import { plural } from '../lib/format.ts';
import { Alert } from '../ui/Alert.tsx';
import { Button } from '../ui/Button.tsx';
import { cn } from '../ui/cn.ts';
import { PictureTiles } from './PictureTiles.tsx';
import { PICTURE_TYPES, type Upload, useUploads } from './use-uploads.ts';

/**
 * Pictures to upload: chosen, or dropped onto it, seen while they are on their way, put in order and
 * taken out again. `urls` are the addresses of those that have arrived, the card's picture first.
 */
export function ImageUpload({
  urls,
  onChange,
  onUploading,
  max,
  error,
}: {
  urls: readonly string[];
  onChange: (change: (urls: readonly string[]) => readonly string[]) => void;
  /** Told whether some are on their way. */
  onUploading: (isUploading: boolean) => void;
  /** How many there may be. */
  max: number;
  error?: string | undefined;
}) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const { uploads, problems, add, cancel } = useUploads((url) => onChange((now) => [...now, url]));
  const isUploading = uploads.length > 0;
  useEffect(() => onUploading(isUploading), [isUploading, onUploading]);

  const room = max - urls.length - uploads.length;
  const hint = `Upload up to ${max} images`;
  const take = (files: FileList | null) => add([...(files ?? [])], room, hint);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };

  return (
    <fieldset className="grid min-w-0 gap-3" aria-describedby={`${id}-hint`}>
      <legend className="mb-1.5 text-sm font-medium">Images</legend>
      <ul className="grid grid-cols-2 gap-3 empty:hidden sm:grid-cols-3 lg:grid-cols-5">
        <PictureTiles urls={urls} onChange={onChange} />
        {uploads.map((upload) => (
          <Arriving key={upload.id} upload={upload} onCancel={() => cancel(upload.id)} />
        ))}
      </ul>
      <label
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={cn(
          'grid cursor-pointer justify-items-center gap-1 rounded border-2 border-dashed p-6 text-center text-sm',
          'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-leaf',
          isOver ? 'border-leaf bg-leaf-soft' : 'border-outline hover:bg-sunken',
          room <= 0 && 'cursor-not-allowed opacity-60',
        )}
      >
        <input
          type="file"
          multiple
          accept={PICTURE_TYPES.join()}
          disabled={room <= 0}
          onChange={(event) => {
            take(event.target.files);
            // The same file can be chosen again after it was taken out.
            event.target.value = '';
          }}
          className="sr-only"
        />
        <ImagePlus aria-hidden="true" className="size-6 text-leaf" />
        <span className="font-medium">
          {room > 0 ? 'Choose pictures, or drop them here' : `${plural(max, 'image')}: no more fit`}
        </span>
        <span id={`${id}-hint`} className="text-ink-soft">
          {hint}. JPEG, PNG, WebP or AVIF, 8 MB each.
        </span>
      </label>
      {(error || problems.length > 0) && (
        <Alert kind="error">
          {error && <p>{error}</p>}
          {problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </Alert>
      )}
    </fieldset>
  );
}

/** A picture on its way, with how far it is. */
function Arriving({ upload, onCancel }: { upload: Upload; onCancel: () => void }) {
  const { name, preview, part } = upload;
  return (
    <li className="relative overflow-hidden rounded border-2 border-hairline bg-surface">
      <img src={preview} alt="" className="aspect-square w-full object-cover opacity-60" />
      <progress
        aria-label={`Uploading ${name}`}
        value={part}
        max={1}
        className="absolute inset-x-2 top-1/2 h-2 w-[calc(100%-1rem)] -translate-y-1/2 appearance-none overflow-hidden rounded-full bg-surface [&::-moz-progress-bar]:bg-leaf [&::-webkit-progress-bar]:bg-surface [&::-webkit-progress-value]:bg-leaf [&::-webkit-progress-value]:transition-all"
      />
      <span className="flex items-center justify-between border-t border-hairline">
        <span className="min-w-0 truncate pl-2 text-xs text-ink-soft">
          {part < 1 ? `${Math.round(part * 100)} %` : 'Nearly there'}
        </span>
        <Button
          variant="quiet"
          size="icon"
          aria-label={`Stop uploading ${name}`}
          onClick={onCancel}
          className="rounded-none text-ink-soft"
        >
          <X aria-hidden="true" className="size-4" />
        </Button>
      </span>
    </li>
  );
}
