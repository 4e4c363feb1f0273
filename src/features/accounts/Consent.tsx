import { Link } from 'react-router'
import { paths } from '#features/site/paths.ts'

/**
 * The terms you accept by signing up, shown next to the button. The server records the acceptance (promise
 * P8).
 */
export function Consent({ by }: { by: string }) {
  return (
    <p className="mt-3 text-center text-small text-ink-3">
      By {by} you accept the{' '}
      <Link className="link" to={paths.terms} reloadDocument>
        Terms
      </Link>{' '}
      and{' '}
      <Link className="link" to={paths.privacy} reloadDocument>
        Privacy Policy
      </Link>
      , and state that you are at least 18 years old or have the consent of a parent or guardian.
    </p>
  )
}
