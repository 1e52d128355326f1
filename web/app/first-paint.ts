/**
 * Removes what `first-paint.js` noted on the document, with which the style sheet hides what is not for whoever is
 * signed in. Call it when React shows what is theirs.
 */
export function endFirstPaint(): void {
  const { dataset } = document.documentElement;
  delete dataset.firstRole;
  delete dataset.firstRail;
  delete dataset.announcementRead;
}
