// How the app's cookies are named and protected.

/**
 * The prefix of the cookies' names, and their flags. Browsers treat plain HTTP on loopback as secure, so the
 * __Host- prefix works there too.
 */
export function cookieRules(baseUrl: string) {
  const { protocol, hostname } = new URL(baseUrl)
  const isSecure = protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return {
    prefix: isSecure ? '__Host-' : '',
    flags: { httpOnly: true, secure: isSecure, path: '/' },
  } as const
}
