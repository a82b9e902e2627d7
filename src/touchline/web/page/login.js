// Sign in with the server's token, then go to the requested page.
import { byId } from "./report/dom.js";
import { session, signIn } from "./api.js";

const form = byId("login");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  byId("problem").textContent = "";
  try {
    await signIn(byId("token").value.trim());
    continueToPage();
  } catch (error) {
    byId("problem").textContent = error.message;
    byId("token").select();
  }
});

// Only a path of this server: URLs of other sites are not followed.
function continueToPage() {
  const wanted = new URL(new URLSearchParams(location.search).get("next") ?? "/", location.origin);
  location.replace(wanted.origin === location.origin ? wanted.href : "/");
}

session().then(({ signed_in: already }) => already && continueToPage()).catch(() => null);
