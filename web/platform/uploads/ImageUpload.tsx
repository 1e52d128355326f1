import { Camera, ImagePlus, RotateCw, Trash2, X } from 'lucide-react';
import { type DragEvent, type ReactNode, useId, useState } from 'react';
import { msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { rich } from '../format/rich.tsx';
import { useMedia } from '../hooks/use-media.ts';
import { cn } from '../ui/cn.ts';
import { Alert } from '../ui/feedback/states.tsx';
import { Button } from '../ui/primitives/Button.tsx';
import { Picture } from '../ui/primitives/Picture.tsx';
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
  const isTouched = useMedia('(pointer: coarse)');
  const { uploads, problems, add, cancel, retry } = useUploads(
    (url) => onChange((now) => [...now, url]),
    onUploading,
  );

  const remaining = max - urls.length - uploads.length;
  const addFiles = (files: readonly File[]) =>
    add(files, remaining, t('Upload up to {max} images', { max }));
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    addFiles([...event.dataTransfer.files]);
  };

  return (
    <fieldset className="grid min-w-0 gap-3" aria-describedby={`${id}-hint`}>
      <legend className="mb-1.5 text-sm font-medium">{t('Images')}</legend>
      <ul className="grid grid-cols-2 gap-3 empty:hidden sm:grid-cols-3 lg:grid-cols-5">
        <PictureTiles urls={urls} onChange={onChange} />
        {uploads.map((upload) => (
          <UploadTile
            key={upload.id}
            upload={upload}
            onCancel={() => cancel(upload.id)}
            onRetry={() => retry(upload.id)}
          />
        ))}
      </ul>
      {isTouched && remaining > 0 && <CameraButton onFiles={addFiles} />}
      {/* biome-ignore lint/a11y/noLabelWithoutControl: `FileInput` is the control */}
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
        <FileInput multiple disabled={remaining <= 0} onFiles={addFiles} />
        <ImagePlus className="size-6 text-leaf" />
        <span className="font-medium">
          {remaining > 0
            ? t('Choose pictures, or drop them here')
            : t("That's all {max, plural, one {# picture} other {# pictures}}", { max })}
        </span>
        <span id={`${id}-hint`} className="text-ink-soft">
          {t('Upload up to {max} images.', { max })} {writeMessage(LIMITS)}
        </span>
      </label>
      <UploadProblems error={error} problems={problems} uploads={uploads} />
    </fieldset>
  );
}

/** Takes a picture, on phones: not all of them offer their camera where files are chosen. */
const CameraButton = ({ onFiles }: { onFiles: (files: readonly File[]) => void }) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: `FileInput` is the control
  <label className="relative flex min-h-11 cursor-pointer items-center justify-center gap-2 rounded bg-leaf px-4 font-medium text-on-leaf has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-leaf">
    <FileInput capture="environment" onFiles={onFiles} />
    <Camera className="size-5" />
    <span>{t('Take a picture')}</span>
  </label>
);

function FileInput({
  onFiles,
  ...rest
}: {
  multiple?: boolean;
  disabled?: boolean;
  /** Opens the camera, on phones. */
  capture?: 'environment';
  onFiles: (files: readonly File[]) => void;
}) {
  return (
    <input
      {...rest}
      type="file"
      accept={PICTURE_TYPES.join()}
      onChange={(event) => {
        onFiles([...(event.target.files ?? [])]);
        // Reset, so that the same file can be chosen again after its removal.
        event.target.value = '';
      }}
      className="sr-only"
    />
  );
}

/** What is said before somebody chooses. */
const LIMITS = msg('JPEG, PNG, WebP or AVIF. Large photos are made smaller before they are sent.');

/** A picture that is on its way: itself, once it is small enough to be shown, with its progress. */
function UploadPreview({
  upload: { name, preview, progress, failure },
  className,
}: {
  upload: Upload;
  className: string;
}) {
  return (
    <>
      {preview ? (
        <img src={preview} alt="" className="size-full object-cover opacity-60" />
      ) : (
        <div className="size-full bg-sunken" />
      )}
      {failure === undefined && (
        <progress
          aria-label={t('Uploading {name}', { name })}
          // Without a value it says that something is being done.
          {...(progress === null ? {} : { value: progress })}
          max={1}
          className={cn(
            'absolute top-1/2 h-2 -translate-y-1/2 appearance-none overflow-hidden rounded-full bg-surface',
            '[&::-moz-progress-bar]:bg-leaf [&::-webkit-progress-bar]:bg-surface [&::-webkit-progress-value]:bg-leaf [&::-webkit-progress-value]:transition-all',
            className,
          )}
        />
      )}
    </>
  );
}

/** How far a picture is. */
function progressWords({ preview, progress }: Upload): string {
  if (progress === null) return preview ? t('a picture|Waiting') : t('a picture|Getting ready');
  return progress < 1 ? `${Math.round(progress * 100)} %` : t('Nearly there');
}

/** The tile of a picture that is on its way. */
function UploadTile({
  upload,
  onCancel,
  onRetry,
}: {
  upload: Upload;
  onCancel: () => void;
  onRetry: () => void;
}) {
  const { name, failure } = upload;
  return (
    <li className="relative overflow-hidden rounded border-2 border-hairline bg-surface">
      <div className="relative aspect-square">
        <UploadPreview upload={upload} className="inset-x-2 w-[calc(100%-1rem)]" />
        {failure !== undefined && (
          <span className="absolute inset-x-0 top-0 bg-tomato-soft px-2 py-0.5 text-center text-xs font-medium text-tomato-ink">
            {t('Not uploaded')}
          </span>
        )}
      </div>
      <span className="flex items-center justify-between border-t border-hairline">
        {failure === undefined ? (
          <span className="min-w-0 grow ps-2 text-xs/tight text-ink-soft">
            {progressWords(upload)}
          </span>
        ) : (
          <Button
            variant="quiet"
            size="icon"
            aria-label={t('Try uploading {name} again', { name })}
            onClick={onRetry}
            className="grow rounded-none"
          >
            <RotateCw className="size-4" />
          </Button>
        )}
        <Button
          variant="quiet"
          size="icon"
          aria-label={t('Stop uploading {name}', { name })}
          onClick={onCancel}
          className="rounded-none text-ink-soft"
        >
          <X className="size-4" />
        </Button>
      </span>
    </li>
  );
}

/** What is wrong with a field of pictures, and why pictures could not be uploaded. */
export function UploadProblems({
  error,
  problems,
  uploads,
}: {
  error: string | undefined;
  problems: readonly string[];
  uploads: readonly Upload[];
}) {
  const all = [...problems, ...uploads.flatMap(({ failure }) => failure ?? [])];
  if (!error && all.length === 0) return null;
  return (
    <Alert kind="error">
      {error && <p>{error}</p>}
      {all.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
    </Alert>
  );
}

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
  const { uploads, problems, add, cancel, retry } = useUploads(onChange, onUploading);
  const [upload] = uploads;
  /** Sets the button of this picture apart from those of others. */
  const named = {
    name: label,
    span: (words: ReactNode) => <span className="sr-only">{words}</span>,
  };

  return (
    <fieldset className="grid min-w-0 content-start gap-2" aria-describedby={`${id}-hint`}>
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className={cn('relative overflow-hidden border border-hairline', frameClass)}>
        {upload ? (
          <UploadPreview upload={upload} className="inset-x-[12%] w-[76%]" />
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
          <>
            {upload.failure !== undefined && (
              <Button
                variant="secondary"
                size="sm"
                icon={<RotateCw />}
                aria-label={t('Try uploading {name} again', { name: upload.name })}
                onClick={() => retry(upload.id)}
              >
                {t('Try again')}
              </Button>
            )}
            <Button
              variant="secondary"
              size="sm"
              icon={<X />}
              aria-label={t('Stop uploading {name}', { name: upload.name })}
              onClick={() => cancel(upload.id)}
            >
              {t('Stop')}
            </Button>
          </>
        ) : (
          // biome-ignore lint/a11y/noLabelWithoutControl: `FileInput` is the control
          <label className="relative inline-flex min-h-8 cursor-pointer items-center gap-1.5 rounded border border-outline bg-surface px-3 py-1 text-sm font-medium transition-colors hover:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-leaf pointer-coarse:min-h-11">
            <FileInput onFiles={(files) => add(files, 1, t('Choose one picture.'))} />
            <ImagePlus className="size-4 text-leaf" />
            <span>
              {url
                ? rich('Replace<span> ({name})</span>', named)
                : rich('Choose a picture<span> ({name})</span>', named)}
            </span>
          </label>
        )}
        {url && !upload && (
          <Button variant="danger-quiet" size="sm" icon={<Trash2 />} onClick={() => onChange(null)}>
            <span>{rich('Remove<span> ({name})</span>', named)}</span>
          </Button>
        )}
      </div>
      <p id={`${id}-hint`} className="text-sm text-ink-soft">
        {hint} {writeMessage(LIMITS)}
      </p>
      <UploadProblems error={error} problems={problems} uploads={uploads} />
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
