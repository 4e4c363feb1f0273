// The page of an emailed link stands outside of the app, and brings the app's styles along.
import MailedLinkPage from '#features/connections/MailedLinkPage.tsx'
import { downloadSignedByMail } from '#features/months/client.web.ts'
import './app.css'

/** The page with the statements, which stand above the connections. */
export default function MailedLink() {
  return <MailedLinkPage statement={downloadSignedByMail} />
}
