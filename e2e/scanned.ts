// Reads QR codes from the screen, as a phone's camera does.
import type { Locator, Page } from '@playwright/test'
import jsqr from 'jsqr'

const decode = jsqr as unknown as typeof jsqr.default

/** Decodes a QR code from a screenshot of the page. Accepts only dark codes on a light background. */
export async function scanned(page: Page, place: Locator): Promise<string | undefined> {
  const png = (await place.screenshot()).toString('base64')
  // Decodes the code on a blank page, because the app's security policy blocks reading images.
  const blank = await page.context().newPage()
  const { width, height, data } = await blank.evaluate(async (base64) => {
    const blob = await (await fetch(`data:image/png;base64,${base64}`)).blob()
    const picture = await createImageBitmap(blob)
    const canvas = new OffscreenCanvas(picture.width, picture.height)
    const pen = canvas.getContext('2d')
    pen?.drawImage(picture, 0, 0)
    const pixels = pen?.getImageData(0, 0, picture.width, picture.height)
    return { width: picture.width, height: picture.height, data: [...(pixels?.data ?? [])] }
  }, png)
  await blank.close()
  return decode(Uint8ClampedArray.from(data), width, height, { inversionAttempts: 'dontInvert' })?.data
}
