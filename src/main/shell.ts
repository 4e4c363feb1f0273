// How the service worker answers a request. It never touches the API, so no answer of it can lie in a cache (promise W9).

export interface Build {
  /** Names the cache; changes with every file. */
  version: string
  /** The app's first script. */
  entry: string
  /** The app's own files. */
  files: string[]
  /** The pages that the shell serves. */
  pages: string[]
}

/** The page whose HTML is the shell of all app pages. */
export const SHELL = '/dashboard'

/** 'page': the shell if the network fails. 'file': from the cache. undefined: not the worker's business. */
export function kindOf(
  request: { method: string; mode: string; url: string },
  origin: string,
  build: Pick<Build, 'files' | 'pages'>,
): 'page' | 'file' | undefined {
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== origin) return undefined
  if (request.mode === 'navigate') return build.pages.includes(url.pathname) ? 'page' : undefined
  // Scripts of an older version, too: a tab that still runs it may ask for them.
  return url.pathname.startsWith('/assets/') || build.files.includes(url.pathname) ? 'file' : undefined
}

const PREFIX = 'shell-'

/** The name of a version's cache. */
export function cacheOf(version: string): string {
  return PREFIX + version
}

/** The caches to delete: all but this version's and the newest older one, whose tabs may still be open. */
export function outdated(names: string[], version: string): string[] {
  return names.filter((name) => name.startsWith(PREFIX) && name !== cacheOf(version)).slice(0, -1)
}
