import type { ReactNode } from 'react';

/** The upload of one picture in a form of another feature. */
export type PictureFieldProps = {
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
