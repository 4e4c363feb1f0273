// How the service worker responds to requests. It never handles API requests, so no cache ever contains an
// API response (promise W9).

export interface Build {
  /** The cache's name: a hash of all files. */
  version: string
  /** The app's first script. */
  entry: string
  /** The app's own files. */
  files: string[]
  /** The pages that load the app shell, such as /summary or /tutors/:id. */
  pages: string[]
  /** Those of them for people who aren't signed in. */
  entryPages: string[]
}

/** The page that serves as the shell for all app pages. */
export const SHELL = '/dashboard'

/**
 * 'page': from the network, or the shell if that fails. 'file': from the cache. undefined: left to the
 * browser.
 */
export function kindOf(
  request: { method: string; mode: string; url: string },
  origin: string,
  build: Pick<Build, 'files' | 'pages'>,
): 'page' | 'file' | undefined {
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== origin) return undefined
  if (request.mode === 'navigate')
    return build.pages.some((page) => fits(page, url.pathname)) ? 'page' : undefined
  // Includes scripts from older versions, because a tab that's still open may need them.
  return url.pathname.startsWith('/assets/') || build.files.includes(url.pathname) ? 'file' : undefined
}

function fits(page: string, path: string): boolean {
  const parts = path.split('/')
  const own = page.split('/')
  return own.length === parts.length && own.every((part, at) => part === ':id' || part === parts[at])
}

const PREFIX = 'shell-'

export function cacheOf(version: string): string {
  return PREFIX + version
}

/** The caches to delete: all but this version's and the most recent older one, which open tabs may still use. */
export function outdated(names: string[], version: string): string[] {
  return names.filter((name) => name.startsWith(PREFIX) && name !== cacheOf(version)).slice(0, -1)
}
