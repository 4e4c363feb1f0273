// The page of a mailed link stands outside of the app, and brings the app's styles along.
import './app.css'

export { default } from '#features/verification/MailedLinkPage.tsx'
