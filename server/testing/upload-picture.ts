import sharp from 'sharp';

/** Returns a form with one small picture, as `POST /uploads` takes it. */
export async function pictureForm(): Promise<FormData> {
  const create = { width: 9, height: 9, channels: 3, background: '#7a4' } as const;
  const picture = await sharp({ create }).png().toBuffer();
  const form = new FormData();
  form.append('images', new Blob([new Uint8Array(picture)]), 'picture.png');
  return form;
}

/** Uploads one small picture to the server at `url`. */
export const uploadPicture = async (url: string, as: { token: string }): Promise<Response> =>
  fetch(`${url}/api/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as.token}` },
    body: await pictureForm(),
  });
