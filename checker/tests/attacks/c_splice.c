/* Attack: A word is cut by a line that goes on, and a digraph.
 * Says: inline assembly */
#ifndef HONEST
__attribute__((used)) static void asks(void) <%
    __as\
m__ volatile("nop");
%>
#else
__attribute__((used)) static int one(void) <%
    ret\
urn 1;
%>
#endif
