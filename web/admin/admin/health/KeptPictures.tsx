import { Trash2 } from 'lucide-react';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { Picture } from '../../../platform/ui/primitives/Picture.tsx';

/** The pictures of a product, which admins can remove. Only its farmer adds new ones. */
export function KeptPictures({
  urls,
  onChange,
  error,
}: {
  urls: readonly string[];
  onChange: (change: (urls: readonly string[]) => readonly string[]) => void;
  error: string | undefined;
}) {
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 text-sm font-medium">Pictures</legend>
      {urls.length === 0 ? (
        <p className="text-sm text-ink-soft">No pictures.</p>
      ) : (
        <ul className="flex flex-wrap gap-3">
          {urls.map((url, index) => (
            <li key={url} className="grid w-24 justify-items-center gap-1">
              <Picture src={url} alt="" sizes="6rem" className="size-24 rounded-sm" />
              <Button
                variant="danger-quiet"
                size="sm"
                icon={<Trash2 />}
                aria-label={`Remove picture ${index + 1}`}
                onClick={() => onChange((all) => all.filter((other) => other !== url))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {error && (
        <p role="alert" className="text-sm text-tomato">
          {error}
        </p>
      )}
    </fieldset>
  );
}
