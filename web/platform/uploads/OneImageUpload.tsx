import { ImagePlus, Trash2, X } from 'lucide-react';
import { type ReactNode, useEffect, useId } from 'react';
import { cn } from '../ui/cn.ts';
import { Button } from '../ui/primitives/Button.tsx';
import { Picture } from '../ui/primitives/Picture.tsx';
import { UploadProblems } from './ImageUpload.tsx';
import { PICTURE_TYPES, useUploads } from './use-uploads.ts';

/**
 * An upload field for one picture, shown in the frame in which others will see it. A new picture takes
 * the place of the old one once it is uploaded.
 */
export function OneImageUpload({
  label,
  hint,
  url,
  onChange,
  onUploading,
  fallback,
  frameClass,
  error,
}: PictureFieldProps) {
  const id = useId();
  const { uploads, problems, add, cancel } = useUploads(onChange);
  const [upload] = uploads;
  const isUploading = upload !== undefined;
  useEffect(() => onUploading(isUploading), [isUploading, onUploading]);
  const name = label.toLowerCase();

  return (
    <fieldset className="grid min-w-0 content-start gap-2" aria-describedby={`${id}-hint`}>
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className={cn('relative overflow-hidden border border-hairline', frameClass)}>
        {upload ? (
          <>
            <img src={upload.preview} alt="" className="size-full object-cover opacity-60" />
            <progress
              aria-label={`Uploading ${upload.name}`}
              value={upload.progress}
              max={1}
              className="absolute inset-x-[12%] top-1/2 h-2 w-[76%] -translate-y-1/2 appearance-none overflow-hidden rounded-full bg-surface [&::-moz-progress-bar]:bg-leaf [&::-webkit-progress-bar]:bg-surface [&::-webkit-progress-value]:bg-leaf [&::-webkit-progress-value]:transition-all"
            />
          </>
        ) : (
          <Picture
            src={url}
            alt={url ? label : ''}
            sizes="36rem"
            fallback={fallback}
            className="aspect-auto size-full"
          />
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        {upload ? (
          <Button
            variant="secondary"
            size="sm"
            icon={<X />}
            aria-label={`Stop uploading ${upload.name}`}
            onClick={() => cancel(upload.id)}
          >
            Stop
          </Button>
        ) : (
          <label className="relative inline-flex min-h-8 cursor-pointer items-center gap-1.5 rounded border border-outline bg-surface px-3 py-1 text-sm font-medium transition-colors hover:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-leaf pointer-coarse:min-h-11">
            <input
              type="file"
              accept={PICTURE_TYPES.join()}
              onChange={(event) => {
                add([...(event.target.files ?? [])], 1, 'Choose one picture.');
                // Reset, so that the same file can be chosen again after its removal.
                event.target.value = '';
              }}
              className="sr-only"
            />
            <ImagePlus aria-hidden="true" className="size-4 text-leaf" />
            <span>
              {url ? 'Replace' : 'Choose a picture'}
              <span className="sr-only"> ({name})</span>
            </span>
          </label>
        )}
        {url && !upload && (
          <Button variant="danger-quiet" size="sm" icon={<Trash2 />} onClick={() => onChange(null)}>
            <span>
              Remove<span className="sr-only"> ({name})</span>
            </span>
          </Button>
        )}
      </div>
      <p id={`${id}-hint`} className="text-sm text-ink-soft">
        {hint}
      </p>
      <UploadProblems error={error} problems={problems} />
    </fieldset>
  );
}

/** The upload of one picture in a form of another feature. */
type PictureFieldProps = {
  /** The picture's name, such as 'Cover picture'. */
  label: string;
  hint: string;
  url: string | null;
  onChange: (url: string | null) => void;
  /** Called with whether an upload is running. */
  onUploading: (isUploading: boolean) => void;
  /** What others see while there is no picture. */
  fallback: ReactNode;
  /** The classes of the frame: its shape and width. */
  frameClass: string;
  error?: string | undefined;
};

/** Renders that upload; passed by the page because uploads are another feature. */
export type PictureField = (field: PictureFieldProps) => ReactNode;
