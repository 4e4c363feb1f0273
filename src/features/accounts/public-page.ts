// Values for the public pages that are known only in the browser and so aren't in the prerendered HTML.
import { createContext, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { signUpPolicy } from '#features/site/address.ts'

/** Who can create an account (SIGN_UP). The build renders the sign-up page once for each value. */
export const SignUpPolicyContext = createContext(signUpPolicy())

/**
 * The query string of this page's address. Public pages are prerendered without one, so it's empty until
 * hydration.
 */
export function useQueryString(): string {
  const { search } = useLocation()
  return useSyncExternalStore(
    () => () => undefined,
    () => search,
    () => '',
  )
}
