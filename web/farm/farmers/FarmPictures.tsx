import { Sprout } from 'lucide-react';
import { useController, useWatch } from 'react-hook-form';
import type { z } from '#contract/platform/http/zod';
import { FarmLandscape } from '../../platform/ui/art/FarmLandscape.tsx';
import type { AppForm } from '../../platform/ui/form/form.tsx';
import type { PictureField } from '../../platform/uploads/ImageUpload.tsx';
import type { FarmInput } from './farm-profile-form.ts';

/** The fields of a farm's cover and photo, each in the shape in which buyers see it. */
export function FarmPictures({
  form: { control },
  pictureField,
  onCoverUploading,
  onPhotoUploading,
}: {
  form: AppForm<z.input<typeof FarmInput>, FarmInput>;
  pictureField: PictureField;
  onCoverUploading: (isUploading: boolean) => void;
  onPhotoUploading: (isUploading: boolean) => void;
}) {
  const cover = useController({ control, name: 'cover' });
  const photo = useController({ control, name: 'photo' });
  const farmName = useWatch({ control, name: 'farmName' });
  return (
    <>
      {pictureField({
        label: 'Cover picture',
        hint: 'Wide, at the top of your page and on your card. Without one we draw a landscape.',
        url: cover.field.value ?? null,
        onChange: cover.field.onChange,
        onUploading: onCoverUploading,
        fallback: <FarmLandscape name={farmName} className="aspect-auto h-full" />,
        frameClass: 'aspect-2/1 w-full max-w-md rounded',
        error: cover.fieldState.error?.message,
      })}
      {pictureField({
        label: 'Photo',
        hint: 'You, your family or your stand. Without one only the farm’s name is shown.',
        url: photo.field.value ?? null,
        onChange: photo.field.onChange,
        onUploading: onPhotoUploading,
        fallback: (
          <span className="grid size-full place-items-center bg-leaf-soft text-leaf-ink">
            <Sprout aria-hidden="true" className="size-10" />
          </span>
        ),
        frameClass: 'size-28 rounded-full',
        error: photo.fieldState.error?.message,
      })}
    </>
  );
}
