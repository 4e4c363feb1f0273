// What a PDF says, for tests.
import { extractText, getDocumentProxy } from 'unpdf'

/** The text of each page. */
export async function pagesOf(pdf: Uint8Array): Promise<string[]> {
  return (await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: false })).text
}

/** The text of all pages. */
export async function textOfPdf(pdf: Uint8Array): Promise<string> {
  return (await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true })).text
}
