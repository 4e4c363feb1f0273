// The region whose way of writing dates, times and numbers the person in this browser expects: what their account says,
// or else the browser's language.
import { readerIn, readFor, regionOfLanguage } from '#kernel/reader.ts'

let chosen: string | undefined

/** Undefined once nobody is signed in. */
export function speakForRegion(region: string | undefined): void {
  chosen = region
}

export function spokenRegion(): string {
  return chosen ?? regionOfBrowser()
}

/** The United States if the browser's language doesn't tell. */
export function regionOfBrowser(): string {
  return regionOfLanguage(navigator.language) ?? 'US'
}

/**
 * From now on, whatever this page writes is written for that region. The public pages never call this, because they're
 * the same for everyone.
 */
export function writeForPerson(): void {
  readFor(() => readerIn(spokenRegion()))
}
