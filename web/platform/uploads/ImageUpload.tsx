import { ImagePlus, X } from 'lucide-react';
import { type DragEvent, useEffect, useId, useState } from 'react';
import { plural } from '../format/format.ts';
import { cn } from '../ui/cn.ts';
import { Alert } from '../ui/feedback/Alert.tsx';
import { Button } from '../ui/primitives/Button.tsx';
import { PictureTiles } from './PictureTiles.tsx';
import { PICTURE_TYPES, type Upload, useUploads } from './use-uploads.ts';

/**
 * An upload field for pictures with drag and drop, progress, ordering and removal. `urls` are the
 * uploaded pictures; the first one is shown on cards.
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
  /** Called with whether uploads are running. */
  onUploading: (isUploading: boolean) => void;
  /** The maximum number of pictures. */
  max: number;
  error?: string | undefined;
}) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const { uploads, problems, add, cancel } = useUploads((url) => onChange((now) => [...now, url]));
  const isUploading = uploads.length > 0;
  useEffect(() => onUploading(isUploading), [isUploading, onUploading]);

  const remaining = max - urls.length - uploads.length;
  const hint = `Upload up to ${max} images`;
  const addFiles = (files: FileList | null) => add([...(files ?? [])], remaining, hint);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    addFiles(event.dataTransfer.files);
  };

  return (
    <fieldset className="grid min-w-0 gap-3" aria-describedby={`${id}-hint`}>
      <legend className="mb-1.5 text-sm font-medium">Images</legend>
      <ul className="grid grid-cols-2 gap-3 empty:hidden sm:grid-cols-3 lg:grid-cols-5">
        <PictureTiles urls={urls} onChange={onChange} />
        {uploads.map((upload) => (
          <UploadTile key={upload.id} upload={upload} onCancel={() => cancel(upload.id)} />
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
          remaining <= 0 && 'cursor-not-allowed opacity-60',
        )}
      >
        <input
          type="file"
          multiple
          accept={PICTURE_TYPES.join()}
          disabled={remaining <= 0}
          onChange={(event) => {
            addFiles(event.target.files);
            // Reset, so that the same file can be chosen again after its removal.
            event.target.value = '';
          }}
          className="sr-only"
        />
        <ImagePlus aria-hidden="true" className="size-6 text-leaf" />
        <span className="font-medium">
          {remaining > 0
            ? 'Choose pictures, or drop them here'
            : `That's all ${plural(max, 'picture')}`}
        </span>
        <span id={`${id}-hint`} className="text-ink-soft">
          {hint}. JPEG, PNG, WebP or AVIF, 8 MB each.
        </span>
      </label>
      <UploadProblems error={error} problems={problems} />
    </fieldset>
  );
}

/** A picture that is being uploaded, with its progress. */
function UploadTile({ upload, onCancel }: { upload: Upload; onCancel: () => void }) {
  const { name, preview, progress } = upload;
  return (
    <li className="relative overflow-hidden rounded border-2 border-hairline bg-surface">
      <img src={preview} alt="" className="aspect-square w-full object-cover opacity-60" />
      <progress
        aria-label={`Uploading ${name}`}
        value={progress}
        max={1}
        className="absolute inset-x-2 top-1/2 h-2 w-[calc(100%-1rem)] -translate-y-1/2 appearance-none overflow-hidden rounded-full bg-surface [&::-moz-progress-bar]:bg-leaf [&::-webkit-progress-bar]:bg-surface [&::-webkit-progress-value]:bg-leaf [&::-webkit-progress-value]:transition-all"
      />
      <span className="flex items-center justify-between border-t border-hairline">
        <span className="min-w-0 truncate pl-2 text-xs text-ink-soft">
          {progress < 1 ? `${Math.round(progress * 100)} %` : 'Nearly there'}
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

/** What is wrong with a field of pictures, and why pictures could not be uploaded. */
export function UploadProblems({
  error,
  problems,
}: {
  error: string | undefined;
  problems: readonly string[];
}) {
  if (!error && problems.length === 0) return null;
  return (
    <Alert kind="error">
      {error && <p>{error}</p>}
      {problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
    </Alert>
  );
}
