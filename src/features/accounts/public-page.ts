// Values that the public pages get only in the browser, in addition to the HTML they were built with.
import { createContext, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { signUpPolicy } from '#features/site/address.ts'

/** Who gets an account (SIGN_UP). The build renders the sign-up page once for each value. */
export const SignUpPolicyContext = createContext(signUpPolicy())

/**
 * The query of this page's address. Public pages are built without one, so it's empty until the page has
 * hydrated.
 */
export function useQueryString(): string {
  const { search } = useLocation()
  return useSyncExternalStore(
    () => () => undefined,
    () => search,
    () => '',
  )
}
