"use strict";(()=>{async function wu(i){let t=Uint8Array.from(atob(i),n=>n.charCodeAt(0)),e=new Blob([t]).stream().pipeThrough(new DecompressionStream("deflate-raw"));return new Response(e).text()}function Tu(i,t,e){for(let[n,s]of Object.entries(t))s===void 0||s===!1||i.setAttribute(n,s===!0?"":String(s));for(let n of e)n!=null&&n!==!1&&i.append(n)}function C(i,t={},...e){let n=document.createElement(i);return Tu(n,t,e),n}function Vt(i,t={},...e){let n=document.createElementNS("http://www.w3.org/2000/svg",i);return Tu(n,t,e),n}function te(i,t,e={}){let{icon:n,key:s,...r}=e,o=s===void 0?i:`${i} (${s})`,a=C("button",{type:"button",...r,...n===void 0?{}:{"aria-label":i,title:o}},n===void 0?i:Eu(n));return a.addEventListener("click",t),a}function qn(i,t,e,n={}){let s=te(i,()=>{let r=s.getAttribute("aria-pressed")!=="true";s.setAttribute("aria-pressed",String(r)),e(r)},{"aria-pressed":String(t),...n});return s}function Sn(i,t,e,n,s={}){let r=C("select",{"aria-label":i,title:i,...s},...t.map(o=>C("option",{value:o.value},o.text)));return r.value=e,r.addEventListener("change",()=>{let o=t.find(a=>a.value===r.value);o!==void 0&&n(o.value)}),r}var Im={play:"M4 2.5v11l9.5-5.5z",pause:"M3.5 2.5h3v11h-3zm6 0h3v11h-3z",next:"M5 2.5 10.5 8 5 13.5 3.7 12.2 7.9 8 3.7 3.8zM11 3h2v10h-2z",previous:"M11 2.5 5.5 8l5.5 5.5 1.3-1.3L8.1 8l4.2-4.2zM3 3h2v10H3z",nextInstant:"M2 2.8v10.4L8 8zm6 0v10.4L14 8z",previousInstant:"M14 2.8v10.4L8 8zm-6 0v10.4L2 8z",start:"M2.5 2.5h2v11h-2zm11 .3v10.4L5.5 8z",end:"M11.5 2.5h2v11h-2zm-9 .3v10.4L10.5 8z",loop:"M11.5 1.5 15 4.5l-3.5 3V5.5H5A2.5 2.5 0 0 0 2.5 8H1a4 4 0 0 1 4-4h6.5zM4.5 14.5 1 11.5l3.5-3v2H11A2.5 2.5 0 0 0 13.5 8H15a4 4 0 0 1-4 4H4.5z",theme:"M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 1.7v10.6a5.3 5.3 0 0 1 0-10.6z",help:"M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 1.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM7.2 10.7h1.6v1.6H7.2zM8 3.8c1.6 0 2.7 1 2.7 2.3 0 1.9-1.9 2-1.9 3.5H7.2c0-2.3 1.8-2.4 1.8-3.4 0-.5-.4-.9-1-.9s-1.1.4-1.2 1.1L5.3 6.2C5.5 4.7 6.6 3.8 8 3.8z",grow:"M2 2h5v1.6H4.7l2.6 2.6-1.1 1.1-2.6-2.6V7H2zm7 12h5V9h-1.6v2.3L9.8 8.7 8.7 9.8l2.6 2.6H9z",fit:"M2 2h4v1.6H3.6V6H2zm8 0h4v4h-1.6V3.6H10zM2 10h1.6v2.4H6V14H2zm10.4 0H14v4h-4v-1.6h2.4zM6 6h4v4H6z"};function Eu(i){return Vt("svg",{viewBox:"0 0 16 16","aria-hidden":"true"},Vt("path",{d:Im[i]}))}function Au(i,t,e){i.replaceChildren(Eu(t)),i.setAttribute("aria-label",e),i.title=e}var ue=class{#t=[];add(t){this.#t.push(t)}listen(t,e,n,s){let r=n;t.addEventListener(e,r,s),this.add(()=>t.removeEventListener(e,r,s))}resize(t,e){let n=new ResizeObserver(()=>e(t.clientWidth,t.clientHeight));n.observe(t),this.add(()=>n.disconnect())}run(){for(let t of this.#t.splice(0).reverse())t()}},Fe=class{constructor(t){this.act=t}act;#t=0;ask(){this.#t===0&&(this.#t=requestAnimationFrame(()=>{this.#t=0,this.act()}))}cancel(){cancelAnimationFrame(this.#t),this.#t=0}};var Cu=new RegExp("[\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb]|[\\u{e0000}-\\u{e007f}]|\\p{Surrogate}","gu");function Ru(i){return`\\u${(i.codePointAt(0)??0).toString(16).padStart(4,"0")}`}function qt(i){return i.replace(Cu,Ru)}function Xt(i,t={}){let e=C("bdi",t),n=0;for(let s of i.matchAll(Cu))e.append(i.slice(n,s.index),C("span",{class:"dv-escape"},Ru(s[0]))),n=s.index+s[0].length;return e.append(i.slice(n)),e}var Lm=["aria-label","title"];function pc(i){return i.map(t=>typeof t=="string"?qt(t):t)}function Pu(i){let t={...i};for(let e of Lm){let n=t[e];typeof n=="string"&&(t[e]=qt(n))}return t}function tt(i,t={},...e){return C(i,Pu(t),...pc(e))}function Et(i,t={},...e){return Vt(i,Pu(t),...pc(e))}function Xe(i,...t){i.replaceChildren();for(let e of pc(t))e&&i.append(e)}function mi(i,t){let e=-1,n=new ResizeObserver(s=>{let r=Math.floor(s[s.length-1]?.contentRect.width??0);r===e||r<=0||(e=r,t(r))});return n.observe(i),()=>n.disconnect()}function Iu(i){return document.addEventListener("themechange",i),()=>document.removeEventListener("themechange",i)}function Lt(i,t=6){if(Number.isNaN(i))return"absent";if(!Number.isFinite(i))return i>0?"\u221E":"\u2212\u221E";if(i===0)return"0";let e=Math.abs(i);return(e>=1e6||e<1e-4?Nm(i,t):String(Number(i.toPrecision(t)))).replace(/-/g,"\u2212")}function Nm(i,t){let[e="",n=""]=i.toExponential(t-1).split("e");return`${e.includes(".")?e.replace(/\.?0+$/,""):e}e${n.replace("+","")}`}function Ot(i){return Number.isNaN(i)?"absent":String(i)}function mn(i,t=""){return i===null?C("span",{class:"dv-num dv-muted"},"absent"):C("span",{class:"dv-num",title:t===""?Ot(i):`${Ot(i)} ${t}`,"data-value":Ot(i)},t===""?Lt(i):`${Lt(i)} ${t}`)}function gi(i,t){return`${i} ${t}${i===1?"":"s"}`}function Vi(i){return`(${Lt(i.t)}, ${i.n})`}function gn(i,t){return`[${Ot(i)}, ${Ot(t)}]`}function Lu(i,t){return`[${Lt(i)}, ${Lt(t)}]`}function io(i,t,e){return`${i.toLocaleString("en-US").replaceAll(",","\u202F")} ${i===1?t:e}`}function so(i){let t=100*i;return t>0&&t<.01?"less than 0.01 %":`${t<100?Math.floor(t*100)/100:100} %`}function cs(i,t,e){let n=new Map,s=0,r=l=>{let c=i.getBoundingClientRect();return{x:l.clientX-c.left,y:l.clientY-c.top}},o=(l,c,h={})=>i.addEventListener(l,c,{...h,signal:e});o("pointerdown",l=>{l.button===0&&(n.set(l.pointerId,r(l)),s=0)}),o("pointermove",l=>{let c=r(l),h=n.get(l.pointerId);if(h===void 0){t.hover(c.x,c.y);return}let u=[...n].filter(([f])=>f!==l.pointerId).map(([,f])=>f);n.set(l.pointerId,c);let d=u[0];if(d!==void 0){let f=y=>Math.hypot(y.x-d.x,y.y-d.y),g={x:.5*(c.x+d.x),y:.5*(c.y+d.y)};f(c)>0&&t.zoom(g.x,g.y,f(h)/f(c));return}s+=Math.abs(c.x-h.x)+Math.abs(c.y-h.y),!(s<4)&&(i.hasPointerCapture(l.pointerId)||i.setPointerCapture(l.pointerId),t.pan(c.x-h.x,c.y-h.y))});let a=l=>{if(n.delete(l.pointerId)&&l.type==="pointerup"&&s<4){let h=r(l);t.press?.(h.x,h.y)}};o("pointerup",a),o("pointercancel",a),o("pointerleave",()=>t.leave()),o("dblclick",()=>t.reset()),o("wheel",l=>{if(!l.ctrlKey&&!l.metaKey&&!i.contains(document.activeElement))return;l.preventDefault();let c=r(l),h=l.deltaMode===1?16:1;t.zoom(c.x,c.y,Math.exp(Math.max(-240,Math.min(240,l.deltaY*h))*.003))},{passive:!1})}function hs(i,t,e,n){if(i==="+"||i==="=")n.zoom(t/2,e/2,.6);else if(i==="-"||i==="_")n.zoom(t/2,e/2,1/.6);else if(i==="0")n.reset();else return!1;return!0}function ve(i,t,e){return(e-i.lower)/(i.upper-i.lower)*t}function Yn(i,t,e){return i.lower+e/t*(i.upper-i.lower)}function Nu(i){let t=Math.max(Math.abs(i.lower),Math.abs(i.upper),Number.MIN_VALUE);return Math.min(i.upper-i.lower,t*1e-13)}function Zn(i,t,e,n){let s=i.upper-i.lower,r=t.upper-t.lower,o=Math.min(Math.max(s*n,Nu(t)),r);if(o>=r)return t;let a=s>0?(e-i.lower)/s:.5;return mc({lower:e-a*o,upper:e+(1-a)*o},t)}function Hi(i,t,e){return mc({lower:i.lower+e,upper:i.upper+e},t)}function mc(i,t){let e=i.upper-i.lower;return i.lower<t.lower?{lower:t.lower,upper:Math.min(t.lower+e,t.upper)}:i.upper>t.upper?{lower:Math.max(t.upper-e,t.lower),upper:t.upper}:i}function gc(i,t,e,n=1){let s=Math.max(t-i,Nu(e));return s*(1+2*n)>=e.upper-e.lower?e:mc({lower:i-n*s,upper:t+n*s},e)}function xi(i,t){let e=i.upper-i.lower;if(!(e>0)||!Number.isFinite(e))return[{value:i.lower,label:String(i.lower)}];let n=e/Math.max(t,1),s=10**Math.floor(Math.log10(n)),r=([1,2,5,10].find(c=>c*s>=n*(1-1e-9))??10)*s,o=Math.ceil(i.lower/r-1e-9),a=Math.floor(i.upper/r+1e-9),l=[];for(let c=o;c<=a&&l.length<=2*t+2;c++)l.push({value:c*r,label:Dm(c*r,r)});return l}function Dm(i,t){let e=Math.max(Math.abs(i),t);if(e>=1e6||e<1e-4){let s=Math.max(0,Math.ceil(Math.log10(e/t)-1e-9));return i===0?"0":i.toExponential(Math.min(s,15))}let n=Math.min(Math.max(0,Math.ceil(-Math.log10(t)-1e-9)),17);return i.toFixed(n)}var Um=3;function Du(i){let t=i.flatMap(n=>{let s=n.sides[0];return s===void 0?[]:[{lower:s[0],upper:s[1],outcome:n.outcome,reason:n.reason,boxes:1}]});t.sort((n,s)=>n.lower-s.lower||n.upper-s.upper);let e=[];for(let n of t){let s=e[e.length-1];s!==void 0&&s.outcome===n.outcome&&n.lower<=s.upper?(s.upper=Math.max(s.upper,n.upper),s.boxes+=n.boxes,s.reason===""&&(s.reason=n.reason)):e.push({...n})}return e}function ro(i,t,e){let n=[];for(let r of i){if(r.upper<t.lower||r.lower>t.upper)continue;let o=Math.max(0,ve(t,e,r.lower)),a=Math.min(e,ve(t,e,r.upper)),l=r.outcome==="undecided"?Um:.5,c=Math.max(0,l-(a-o)),h=Math.min(Math.max(0,o-c/2),Math.max(0,e-l));n.push({part:r,x:h,width:a-o+c})}let s=r=>r.part.outcome==="undecided"?1:0;return n.sort((r,o)=>s(r)-s(o))}function Uu(i){let t={safe:{size:0,boxes:0},unsafe:{size:0,boxes:0},undecided:{size:0,boxes:0}};for(let e of i){let n=t[e.outcome];n.size+=e.sides.reduce((s,[r,o])=>s*(o-r),1),n.boxes+=1}return t}var us=["safe","unsafe","undecided"],Kn={safe:"proved safe",unsafe:"proved unsafe",undecided:"undecided"},Gi=class i{static#t=0;#e=`check-pattern-${i.#t++}`;definitions(){let t=Et("pattern",{id:`${this.#e}-unsafe`,width:7,height:7,patternUnits:"userSpaceOnUse"},Et("rect",{width:7,height:7,class:"pattern-ground"}),Et("circle",{cx:2,cy:2,r:1.3,class:"pattern-dot"}),Et("circle",{cx:5.5,cy:5.5,r:1.3,class:"pattern-dot"})),e=Et("pattern",{id:`${this.#e}-undecided`,width:6,height:6,patternUnits:"userSpaceOnUse",patternTransform:"rotate(45)"},Et("rect",{width:6,height:6,class:"pattern-blank"}),Et("line",{x1:1,y1:0,x2:1,y2:6,class:"pattern-hatch"}));return Et("defs",{},t,e)}fill(t){return t==="safe"?{class:"fill-safe"}:{fill:`url(#${this.#e}-${t})`}}};function oo(i,...t){let e=tt("ul",{class:"check-legend"});for(let{outcome:n,text:s}of i){let r=new Gi,o=Et("svg",{viewBox:"0 0 22 14","aria-hidden":"true"},r.definitions(),Et("rect",{x:.5,y:.5,width:21,height:13,...r.fill(n)}),Et("rect",{x:.5,y:.5,width:21,height:13,class:"frame"}));e.append(tt("li",{},o,s))}return e.append(...t),e}function Ou(){let i=Et("svg",{viewBox:"0 0 22 14","aria-hidden":"true"},Et("path",{d:"M11 1l5 6-5 6-5-6z",class:"witness"}));return tt("li",{},i,"counterexample")}function Fu(i,t,e,n,s){if(t==="safe")return e;let r=document.createElement("canvas"),o=Math.max(4,Math.round(7*s));r.width=o,r.height=o;let a=r.getContext("2d");if(a===null)return e;if(t==="unsafe"){a.fillStyle=e,a.fillRect(0,0,o,o),a.fillStyle=n;for(let l of[.28,.78])a.beginPath(),a.arc(l*o,l*o,.18*o,0,2*Math.PI),a.fill()}else{a.fillStyle=n,a.fillRect(0,0,o,o),a.strokeStyle=e,a.lineWidth=.22*o;for(let l of[-1,0,1])a.beginPath(),a.moveTo((l-.1)*o,1.1*o),a.lineTo((l+1.1)*o,-.1*o),a.stroke()}return i.createPattern(r,"repeat")??e}var Jn=56,ku=26,Un=14,ao=class i{constructor(t,e,n){this.axis=t;this.parts=e;this.witness=n;this.#s={lower:t.lower,upper:t.upper},this.#i=this.#s,this.#t=tt("div",{class:"check-chart check-band",tabindex:0,role:"listbox","aria-label":`parts of the range of ${t.name}`,"aria-orientation":"horizontal"}),this.#e=tt("p",{class:"check-reading","aria-live":"polite"});let s=tt("p",{class:"check-hint"},"Arrow keys choose a part, Enter zooms to it. Drag, +, \u2212 and 0 zoom and move; Ctrl with the wheel too.");this.element=tt("div",{},this.#t,this.#e,s),this.#h(),this.#a=mi(this.#t,r=>{this.#r=r,this.#g()}),this.#p()}axis;parts;witness;element;#t;#e;#n=new Gi;#s;#i;#r=0;#o=-1;#l=new AbortController;#a;destroy(){this.#l.abort(),this.#a()}zoomBy(t){let e=this.parts[this.#o],n=.5*(this.#i.lower+this.#i.upper),s=e===void 0?this.witness??n:.5*(e.lower+e.upper),r=s>=this.#i.lower&&s<=this.#i.upper;this.#c(Zn(this.#i,this.#s,r?s:n,t))}reset(){this.#c(this.#s)}#c(t){this.#i=t,this.#g()}#h(){let t={zoom:(e,n,s)=>this.#c(Zn(this.#i,this.#s,Yn(this.#i,this.#r,e),s)),pan:e=>this.#c(Hi(this.#i,this.#s,-e/this.#r*(this.#i.upper-this.#i.lower))),reset:()=>this.reset(),hover:e=>this.#x(this.#m(e),Yn(this.#i,this.#r,e)),leave:()=>{},press:e=>this.#x(this.#m(e),Yn(this.#i,this.#r,e))};cs(this.#t,t,this.#l.signal),this.#t.addEventListener("keydown",e=>this.#u(e,t),{signal:this.#l.signal})}#u(t,e){if(t.ctrlKey||t.metaKey||t.altKey)return;let n=this.parts.length-1,s=this.parts[this.#o];if(t.key==="ArrowRight")this.#x(Math.min(n,this.#o+1));else if(t.key==="ArrowLeft")this.#x(Math.max(0,this.#o-1));else if(t.key==="Home")this.#x(Math.min(0,n));else if(t.key==="End")this.#x(n);else if(t.key==="Enter"&&s!==void 0)this.#c(gc(s.lower,s.upper,this.#s));else if(!hs(t.key,this.#r,Jn,e))return;t.preventDefault(),t.stopPropagation()}#m(t){let n=ro(this.parts,this.#i,this.#r).reverse().find(s=>t>=s.x&&t<=s.x+s.width);return n===void 0?-1:this.parts.indexOf(n.part)}#x(t,e){this.#o=t;let n=this.parts[t];e===void 0&&n!==void 0&&(n.upper>=this.#i.lower&&n.lower<=this.#i.upper||(this.#i=gc(n.lower,n.upper,this.#s))),this.#g(),this.#p(e)}#p(t){let{name:e}=this.axis,n=this.parts[this.#o];if(n!==void 0){let s=`width ${Lt(n.upper-n.lower)}, ${so((n.upper-n.lower)/(this.axis.upper-this.axis.lower))} of the range`,r=n.boxes>1?`, ${n.boxes} boxes`:"",o=n.reason===""?"":`: ${n.reason}`;Xe(this.#e,tt("b",{},Kn[n.outcome]),` for ${e} in ${gn(n.lower,n.upper)} (${s}${r})${o}`)}else t!==void 0?Xe(this.#e,`${e} = ${Ot(t)}`):this.witness!==null?Xe(this.#e,tt("b",{},"counterexample"),` at ${e} = ${Ot(this.witness)}`):Xe(this.#e,`${e} in ${gn(this.axis.lower,this.axis.upper)}`)}#g(){let t=this.#r;if(t===0)return;let e=this.#i,n=Et("svg",{viewBox:`0 0 ${t} ${Un+Jn+ku}`,height:Un+Jn+ku});n.append(this.#n.definitions()),n.append(Et("rect",{x:.5,y:Un+.5,width:t-1,height:Jn-1,class:"pattern-blank"}));for(let{part:r,x:o,width:a}of ro(this.parts,e,t)){let l=this.parts.indexOf(r),c=`${Kn[r.outcome]}: ${this.axis.name} in ${gn(r.lower,r.upper)}`,h=Et("rect",{x:o,y:Un,width:Math.max(a,.5),height:Jn,role:"option",id:`${this.#f}-${l}`,"aria-label":c,"aria-selected":String(l===this.#o),"data-outcome":r.outcome,...this.#n.fill(r.outcome)});h.append(Et("title",{},c)),n.append(h)}let s=this.parts[this.#o];if(s!==void 0){let r=ro([s],e,t)[0];r!==void 0&&n.append(Et("rect",{x:r.x+1,y:Un+1,width:Math.max(1,r.width-2),height:Jn-2,fill:"none",class:"is-current","pointer-events":"none"})),this.#t.setAttribute("aria-activedescendant",`${this.#f}-${this.#o}`)}else this.#t.removeAttribute("aria-activedescendant");n.append(Et("rect",{x:.5,y:Un+.5,width:t-1,height:Jn-1,class:"frame","pointer-events":"none"})),this.#d(n,t),this.#y(n,t),this.#t.replaceChildren(n)}#d(t,e){let n=Un+Jn,s=xi(this.#i,Math.max(2,Math.floor(e/90)));for(let{value:r,label:o}of s){let a=ve(this.#i,e,r);t.append(Et("line",{x1:a,x2:a,y1:n,y2:n+5,class:"frame"}));let l=a<24?"start":a>e-24?"end":"middle";t.append(Et("text",{x:Math.min(Math.max(a,0),e),y:n+18,"text-anchor":l},o))}}#y(t,e){if(this.witness===null||this.witness<this.#i.lower||this.witness>this.#i.upper)return;let n=ve(this.#i,e,this.witness),s=`counterexample: ${this.axis.name} = ${Ot(this.witness)}`,r=Et("path",{d:`M${n} ${Un+4}l-6 -8h12z`,class:"witness",role:"img","aria-label":s});r.append(Et("title",{},s)),t.append(Et("line",{x1:n,x2:n,y1:Un,y2:Un+Jn,class:"cursor"}),r)}static#_=0;#f=`check-band-${i.#_++}`};function xc(i){let t=i.byTime;if(t.length===0)return[];let e=new Set(t.flatMap(s=>s.clausesByLength.map(r=>r.length))),n=s=>({title:`clauses of length ${s}`,values:t.map(r=>r.clausesByLength.find(o=>o.length===s)?.count??0)});return[{title:"calls of Satisfy",values:t.map(s=>s.calls)},{title:"iterations",values:t.map(s=>s.iterations)},{title:"clauses learnt",values:t.map(s=>s.learnt)},...[...e].sort((s,r)=>s-r).map(n)]}function Bu(i){return i.reduce((t,e)=>Math.max(t,e),1)}var lo=74,co=56,ho=class{constructor(t,e){this.figures=t;this.horizon=e;this.element=tt("div",{class:"check-panels-inner"},this.#i());let s=xc(t.solver).filter(o=>o.values.some(a=>a>0));if(s.length===0){this.element.append(tt("p",{class:"check-text quiet"},"The solver was not asked: no box was explored."));return}let r=tt("div",{class:"check-multiples",tabindex:0,role:"group","aria-label":"the solver's work against simulated time; arrow keys move along time"});for(let o of s)r.append(this.#o(o));r.addEventListener("keydown",o=>this.#l(o,s)),this.element.append(r,this.#s,this.#h(s)),this.#c(s)}figures;horizon;element;#t=[];#e=null;#n=[];#s=tt("p",{class:"check-reading","aria-live":"polite"});destroy(){this.#t.forEach(t=>t())}#i(){let{figures:t}=this,{solver:e}=t,n=e.conflictsByLength.reduce((o,a)=>o+a.count,0),s=[["simulations",t.simulations],["simulations that showed nothing",t.failedSimulations],["least robustness met",t.leastRobustness===null?"\u2013":Lt(t.leastRobustness)],["boxes explored",t.boxes],["steps enclosed",t.steps],["crossings",t.crossings],["jumps",t.jumps],["evolutions",t.evolutions],["calls of Satisfy",e.calls],["questions to SAT",e.satCalls],["questions to the theory",e.theoryCalls],["iterations",e.iterations],["conflict clauses learnt",n]],r=tt("dl",{class:"check-totals"});for(let[o,a]of s){if(a===0&&t.boxes===0)continue;let l=typeof a=="number"?a.toLocaleString("en-US").replaceAll(",","\u202F"):a;r.append(tt("div",{},tt("dt",{},o),tt("dd",{},l)))}return r}#r(t){let e=this.figures.solver.byTime.length;return`${Lt(this.horizon*t/e)} s to ${Lt(this.horizon*(t+1)/e)} s`}#o(t){let e=Bu(t.values),n=tt("div",{}),s=tt("figure",{},tt("figcaption",{},tt("span",{},t.title),tt("span",{class:"quiet"},`up to ${e}`)),n),r=0,o=()=>{if(r===0)return;let a=r/t.values.length,l=Et("svg",{viewBox:`0 0 ${r} ${lo}`,height:lo,width:r,role:"img","aria-label":`${t.title}: ${t.values.join(", ")}`});t.values.forEach((c,h)=>{let u=c/e*(co-4),d=Math.min(2,a/5),f=Et("rect",{x:h*a+d/2,y:co-u,width:Math.max(a-d,.5),height:u,class:h===this.#e?"bar is-current":"bar"});l.append(f)}),l.append(Et("line",{x1:0,x2:r,y1:co+.5,y2:co+.5,class:"frame"}),Et("text",{x:0,y:lo-5},"0"),Et("text",{x:r,y:lo-5,"text-anchor":"end"},`${Lt(this.horizon)} s`)),n.replaceChildren(l)};return n.addEventListener("pointermove",a=>{let l=n.getBoundingClientRect(),c=Math.floor((a.clientX-l.left)/Math.max(l.width,1)*t.values.length);this.#a(Math.min(Math.max(c,0),t.values.length-1))}),this.#n.push(o),this.#t.push(mi(n,a=>{r=a,o()})),s}#l(t,e){let n={ArrowLeft:-1,ArrowRight:1}[t.key];if(n===void 0||t.ctrlKey||t.metaKey||t.altKey)return;let s=(e[0]?.values.length??1)-1;this.#a(Math.min(Math.max((this.#e??-n)+n,0),s)),t.preventDefault(),t.stopPropagation()}#a(t){t!==this.#e&&(this.#e=t,this.#n.forEach(e=>e()),this.#c(xc(this.figures.solver).filter(e=>e.values.some(n=>n>0))))}#c(t){let e=this.#e;if(e===null){Xe(this.#s,"Point at a bar to read the figures of that part of simulated time.");return}let n=t.map(s=>`${s.title} ${s.values[e]??0}`);Xe(this.#s,tt("b",{},this.#r(e)),`: ${n.join(", ")}`)}#h(t){let e=tt("tr",{},tt("th",{scope:"col"},"simulated time"));for(let s of t)e.append(tt("th",{scope:"col"},s.title));let n=tt("tbody",{});return this.figures.solver.byTime.forEach((s,r)=>{let o=tt("tr",{},tt("th",{scope:"row"},this.#r(r)));for(let a of t)o.append(tt("td",{},String(a.values[r]??0)));n.append(o)}),tt("details",{},tt("summary",{},"as a table"),tt("div",{class:"check-scroll",tabindex:0,role:"region","aria-label":"table of the solver's figures"},tt("table",{},tt("thead",{},e),n)))}};var wn=56,Om=10,jn=10,Fm=40,uo=["safe","undecided","unsafe"];function zu(i,t,e){let n=null;for(let s of i){let[r,o]=s.sides;r===void 0||o===void 0||t>=r[0]&&t<=r[1]&&e>=o[0]&&e<=o[1]&&(n===null||uo.indexOf(s.outcome)>=uo.indexOf(n.outcome))&&(n=s)}return n}var fo=class{constructor(t,e,n){this.axes=t;this.witness=n;this.#s=[...e].sort((a,l)=>uo.indexOf(a.outcome)-uo.indexOf(l.outcome));let[s,r]=t;this.#i=[{lower:s.lower,upper:s.upper},{lower:r.lower,upper:r.upper}],this.#r=this.#i,this.#t=tt("div",{class:"check-chart check-map",tabindex:0,role:"application","aria-roledescription":"map","aria-label":`map of ${s.name} and ${r.name}`},this.#e);let o=tt("p",{class:"check-hint"},"Arrow keys move the cross, + and \u2212 zoom about it, 0 shows the whole. Drag moves; Ctrl with the wheel zooms.");this.element=tt("div",{},this.#t,this.#n,o),this.#p(),this.#h=[mi(this.#t,a=>{this.#o=a,this.#l=Math.round(Math.min(460,Math.max(220,a*.62))),this.#y()}),Iu(()=>this.#y())],this.#d()}axes;witness;element;#t;#e=tt("canvas",{"aria-hidden":"true"});#n=tt("p",{class:"check-reading","aria-live":"polite"});#s;#i;#r;#o=0;#l=0;#a=null;#c=new AbortController;#h;destroy(){this.#c.abort(),this.#h.forEach(t=>t())}zoomBy(t){let e=r=>.5*(r.lower+r.upper),[n,s]=this.#a??[e(this.#r[0]),e(this.#r[1])];this.#x(n,s,t)}reset(){this.#r=this.#i,this.#y()}get#u(){return{width:Math.max(1,this.#o-wn-Om),height:Math.max(1,this.#l-jn-Fm)}}#m(t,e){let{width:n,height:s}=this.#u;return[Yn(this.#r[0],n,t-wn),Yn(this.#r[1],s,s-(e-jn))]}#x(t,e,n){this.#r=[Zn(this.#r[0],this.#i[0],t,n),Zn(this.#r[1],this.#i[1],e,n)],this.#y()}#p(){let t={zoom:(n,s,r)=>this.#x(...this.#m(n,s),r),pan:(n,s)=>{let{width:r,height:o}=this.#u,[a,l]=this.#r;this.#r=[Hi(a,this.#i[0],-n/r*(a.upper-a.lower)),Hi(l,this.#i[1],s/o*(l.upper-l.lower))],this.#y()},reset:()=>this.reset(),hover:(n,s)=>this.#g(this.#m(n,s)),press:(n,s)=>this.#g(this.#m(n,s)),leave:()=>{}};cs(this.#t,t,this.#c.signal);let e=n=>{if(n.ctrlKey||n.metaKey||n.altKey)return;let s={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowDown:[0,-1],ArrowUp:[0,1]}[n.key],r=o=>.5*(o.lower+o.upper);if(s!==void 0){let[o,a]=this.#a??[r(this.#r[0]),r(this.#r[1])],l=n.shiftKey?10:60,c=h=>(h.upper-h.lower)/l;this.#g([o+s[0]*c(this.#r[0]),a+s[1]*c(this.#r[1])])}else if(n.key==="+"||n.key==="=")this.zoomBy(.6);else if(n.key==="-"||n.key==="_")this.zoomBy(1/.6);else if(!hs(n.key,this.#o,this.#l,t))return;n.preventDefault(),n.stopPropagation()};this.#t.addEventListener("keydown",e,{signal:this.#c.signal})}#g([t,e]){let n=(s,r)=>Math.min(Math.max(s,r.lower),r.upper);this.#a=[n(t,this.#r[0]),n(e,this.#r[1])],this.#y(),this.#d()}#d(){let[t,e]=this.axes;if(this.#a===null){Xe(this.#n,`${t.name} in ${gn(t.lower,t.upper)}, ${e.name} in ${gn(e.lower,e.upper)}: point at a box to read its bounds`);return}let n=zu(this.#s,...this.#a);if(n===null){Xe(this.#n,`${t.name} = ${Ot(this.#a[0])}, ${e.name} = ${Ot(this.#a[1])}`);return}let s=(r,o)=>{let[a,l]=n.sides[o]??[NaN,NaN];return`${r.name} in ${gn(a,l)}`};Xe(this.#n,tt("b",{},Kn[n.outcome]),` for ${s(t,0)}, ${s(e,1)}${n.reason===""?"":`: ${n.reason}`}`)}#y(){let[t,e]=[this.#o,this.#l],n=this.#e.getContext("2d");if(t===0||n===null)return;let s=Math.min(devicePixelRatio||1,3);this.#e.width=Math.round(t*s),this.#e.height=Math.round(e*s),this.#e.style.height=`${e}px`;let r=getComputedStyle(this.#t),o=u=>r.getPropertyValue(u).trim()||"#888",a=this.#u,l=u=>(wn+ve(this.#r[0],a.width,u))*s,c=u=>(jn+a.height-ve(this.#r[1],a.height,u))*s;n.save(),n.beginPath(),n.rect(wn*s,jn*s,a.width*s,a.height*s),n.fillStyle=o("--c-bg"),n.fill(),n.clip();let h=new Map(us.map(u=>[u,Fu(n,u,o(`--c-${u}`),o("--c-bg"),s)]));for(let u of this.#s){let[d,f]=u.sides;if(d===void 0||f===void 0)continue;let[g,y,m,p]=[l(d[0]),l(d[1]),c(f[0]),c(f[1])];n.fillStyle=h.get(u.outcome)??"",n.fillRect(g,p,Math.max(y-g,1)+.5,Math.max(m-p,1)+.5)}this.#_(n,l,c,s,o),n.restore(),this.#f(n,s,o)}#_(t,e,n,s,r){if(t.lineWidth=2*s,this.#a!==null){let o=zu(this.#s,...this.#a),[a,l]=o?.sides??[];t.strokeStyle=r("--c-fg"),a!==void 0&&l!==void 0&&t.strokeRect(e(a[0]),n(l[1]),e(a[1])-e(a[0]),n(l[0])-n(l[1]));let[c,h]=[e(this.#a[0]),n(this.#a[1])];t.lineWidth=s,t.beginPath();for(let[u,d]of[[8,0],[0,8]])t.moveTo(c-u*s,h-d*s),t.lineTo(c+u*s,h+d*s);t.stroke()}if(this.witness!==null){let[o,a]=[e(this.witness[0]),n(this.witness[1])];t.beginPath(),t.moveTo(o,a-7*s),t.lineTo(o+6*s,a),t.lineTo(o,a+7*s),t.lineTo(o-6*s,a),t.closePath(),t.fillStyle=r("--c-fg"),t.fill(),t.strokeStyle=r("--c-bg"),t.lineWidth=1.5*s,t.stroke()}}#f(t,e,n){let s=this.#u;t.save(),t.scale(e,e),t.strokeStyle=n("--c-muted"),t.fillStyle=n("--c-muted"),t.lineWidth=1,t.strokeRect(wn+.5,jn+.5,s.width-1,s.height-1),t.font=`11px ${getComputedStyle(this.#t).fontFamily}`,t.textAlign="center";let r=jn+s.height;for(let{value:o,label:a}of xi(this.#r[0],Math.max(2,s.width/90))){let l=wn+ve(this.#r[0],s.width,o);t.fillRect(l,r,1,5),t.fillText(a,Math.min(Math.max(l,wn+10),this.#o-16),r+17)}t.textAlign="right",t.textBaseline="middle";for(let{value:o,label:a}of xi(this.#r[1],Math.max(2,s.height/50))){let l=jn+s.height-ve(this.#r[1],s.height,o);t.fillRect(wn-5,l,5,1),t.fillText(a,wn-8,Math.min(Math.max(l,jn+6),r-6),wn-12)}t.textAlign="center",t.textBaseline="alphabetic",t.fillStyle=n("--c-fg"),t.fillText(qt(this.axes[0].name),wn+s.width/2,r+34,s.width),t.translate(11,jn+s.height/2),t.rotate(-Math.PI/2),t.fillText(qt(this.axes[1].name),0,0,s.height),t.restore()}};var km={SAFE:{shape:"M26 2a24 24 0 1 0 .01 0z",mark:"M15 27l8 8 15-17",ink:"--c-safe",dot:!1},UNSAFE:{shape:"M16 2h20l14 14v20L36 50H16L2 36V16z",mark:"M18 18l16 16M34 18L18 34",ink:"--c-unsafe",dot:!1},UNKNOWN:{shape:"M26 1l25 25-25 25L1 26z",mark:"M20 20.500c0-8 12-8 12-.5 0 5-6 5-6 10",ink:"--c-undecided",dot:!0},PARTITION:{shape:"M5 5h42v42H5z",mark:"M21 9v34M33 9v34",ink:"--c-accent",dot:!1}};function Vu(i){let{shape:t,mark:e,ink:n,dot:s}=km[i],r=Et("svg",{viewBox:"0 0 52 52",class:"check-sign","aria-hidden":"true"},Et("path",{d:t,class:"shape"}),Et("path",{d:e,class:"mark"}));return s&&r.append(Et("circle",{cx:26,cy:38.5,r:3,class:"dot"})),r.style.setProperty("--sign",`var(${n})`),r}function po(i){let t=(e,n,s)=>{let r=tt("button",{type:"button","aria-label":n,title:n},e);return r.addEventListener("click",s),r};return tt("span",{class:"check-tools",role:"group","aria-label":"zoom"},t("\u2212","zoom out",()=>i.zoomBy(1/.5)),t("+","zoom in",()=>i.zoomBy(.5)),t("whole","show the whole range",()=>i.reset()))}function Gu(i){let t=tt("button",{type:"button","aria-label":"copy the call"},"copy"),e=n=>{t.textContent=n,setTimeout(()=>t.textContent="copy",1500)};return t.addEventListener("click",()=>{navigator.clipboard===void 0?e(Hu(t,i)?"copied":"not copied"):navigator.clipboard.writeText(i).then(()=>e("copied"),()=>e(Hu(t,i)?"copied":"not copied"))}),t}function Hu(i,t){let e=tt("textarea",{class:"visually-hidden",readonly:!0});e.value=t,i.after(e),e.select();let n=document.execCommand("copy");return e.remove(),i.focus(),n}function Wu(i,t,e){let n=0,s=i.length;for(;n<s;){let r=n+s>>>1,o=i[r];o<e.t||o===e.t&&t[r]<=e.n?n=r+1:s=r}return n-1}function Tn(i,t){let e=0,n=i.length;for(;e<n;){let s=e+n>>>1;i[s]<t?e=s+1:n=s}return e}function On(i,t){let e=0,n=i.length;for(;e<n;){let s=e+n>>>1;i[s]<=t?e=s+1:n=s}return e}function Wi(i,t,e,n){if(e<0)return NaN;let s=i[e],r=t[e];if(s===n)return r;if(e+1>=i.length)return NaN;let o=t[e+1];return r===o?r:r+(o-r)*((n-s)/(i[e+1]-s))}function vc(){return new Promise(i=>setTimeout(i))}async function yc(i,t,e){if(t.kind==="u32")return Float64Array.from(await _c(i,t,e));let{count:n}=t,s=await $u(i,n,8,e),r=new Float64Array(n),o=new Uint32Array(r.buffer),[a,l,c,h,u,d,f,g]=Xu(s,n,8),y=0,m=0;for(let p=0;p<n;p+=262144){p>0&&await vc();let b=Math.min(p+262144,n);for(let E=p;E<b;E++)y^=a[E]|l[E]<<8|c[E]<<16|h[E]<<24,m^=u[E]|d[E]<<8|f[E]<<16|g[E]<<24,o[2*E]=y,o[2*E+1]=m}return r}async function _c(i,t,e){if(t.kind!=="u32")throw new Error(`column ${e}: ${t.kind} where u32 is expected`);let{count:n}=t,s=await $u(i,n,4,e),[r,o,a,l]=Xu(s,n,4),c=new Uint32Array(n),h=0;for(let u=0;u<n;u+=262144){u>0&&await vc();let d=Math.min(u+262144,n);for(let f=u;f<d;f++)h=h+(r[f]|o[f]<<8|a[f]<<16|l[f]<<24)|0,c[f]=h}return c}function Xu(i,t,e){return Array.from({length:e},(n,s)=>i.subarray(s*t,(s+1)*t))}async function $u(i,t,e,n){let s=u=>new Error(`column ${n}: ${u}`);if(!Number.isSafeInteger(t)||t<0||t*e>2147483647)throw s(`impossible length ${t}`);let r=new Uint8Array(t*e);if(t===0)return r;let o=new DecompressionStream("deflate-raw"),a=null,l=Bm(o.writable.getWriter(),i.trim()).catch(u=>{a??=u}),c=o.readable.getReader(),h=0;try{for(;;){let{done:u,value:d}=await c.read();if(u)break;if(h+d.length>r.length)throw new Error(`more than ${r.length} bytes`);r.set(d,h),h+=d.length}}catch(u){a??=u,await c.cancel().catch(()=>{})}if(await l,a!==null)throw s(`the data is damaged (${a instanceof Error?a.message:String(a)})`);if(h!==r.length)throw s(`${h} bytes instead of ${r.length}`);return r}async function Bm(i,t){try{for(let e=0;e<t.length;e+=524288)e>0&&await vc(),await i.write(zm(t.slice(e,e+524288)));await i.close()}catch(e){throw await i.abort(e).catch(()=>{}),e}}function zm(i){let t;try{t=atob(i)}catch{throw new Error("not base64")}let e=new Uint8Array(t.length);for(let n=0;n<e.length;n++)e[n]=t.charCodeAt(n);return e}var ds=class{constructor(t,e){this.run=e;this.#t=t;for(let n of e.signals)this.#e.has(n.name)||this.#e.set(n.name,n);this.ready=this.#o(),this.ready.catch(()=>{})}run;ready;t=new Float64Array(0);n=new Uint32Array(0);#t;#e=new Map;#n=new Map;#s=new Map;#i=new Map;#r=Promise.resolve();get length(){return this.t.length}has(t){return this.#e.has(t)}signal(t){return this.#e.get(t)??null}async column(t){let e=this.#e.get(t);if(e===void 0)throw new Error(`there is no signal ${t}`);return this.#a(e.column,t)}cached(t){let e=this.#e.get(t);return e===void 0?null:this.#s.get(e.column.blob)??null}track(t){let e=this.#i.get(t);if(e!==void 0)return e;let n=this.#l(t);return this.#i.set(t,n),n}indexAt(t){return Wu(this.t,this.n,t)}valueAt(t,e){let n=this.cached(t);return n===null?NaN:Wi(this.t,n,this.indexAt(e),e.t)}async#o(){let{t,n:e}=this.run;if(t.count!==e.count)throw new Error(`column n: ${e.count} values instead of ${t.count}`);let n=await this.#c(()=>yc(this.#t.blob(t.blob),t,"t")),s=await this.#c(()=>_c(this.#t.blob(e.blob),e,"n"));this.t=n,this.n=s}async#l(t){let e=this.run.contacts[t];if(e===void 0)throw new Error(`there is no contact ${t}`);let n=(o,a)=>Promise.all(o.map((l,c)=>this.#a(l,`${a} ${"xyz"[c]??c} of ${e.label}`))),[s,r]=await Promise.all([n(e.point,"point"),n(e.force,"force")]);return{point:s,force:r}}#a(t,e){let n=this.#n.get(t.blob);if(n!==void 0)return n;let s=this.#c(async()=>{if(t.count!==this.run.t.count)throw new Error(`column ${e}: ${t.count} values instead of ${this.run.t.count}`);let r=await yc(this.#t.blob(t.blob),t,e);return this.#s.set(t.blob,r),r});return this.#n.set(t.blob,s),s}#c(t){let e=this.#r.then(t);return this.#r=e.catch(()=>{}),e}};function ju(i,t,e){let[n,s]=[1/0,-1/0];for(let r of i){let o=r.names.indexOf(t);for(let a of r.steps){let l=a.bounds[o];l===void 0||a.to<e.lower||a.from>e.upper||(n=Math.min(n,l[0]),s=Math.max(s,l[1]))}}return n<=s?{lower:n,upper:s}:null}function Qu(i){let t=Math.max(Math.abs(i.lower),Math.abs(i.upper),1e-300),e=Math.max(.06*(i.upper-i.lower),1e-9*t);return{lower:i.lower-e,upper:i.upper+e}}var xn=i=>Math.round(i*100)/100;function td(i,t,e,n,s){let r=i.names.indexOf(t),o="";for(let a of i.steps){let l=a.bounds[r];if(l===void 0||a.to<e.lower||a.from>e.upper)continue;let[c,h]=qu(ve(e,s.width,a.from),ve(e,s.width,a.to),s.width),[u,d]=qu(s.height-ve(n,s.height,l[1]),s.height-ve(n,s.height,l[0]),s.height);o+=`M${xn(c)} ${xn(u)}h${xn(h)}v${xn(d)}h${xn(-h)}z`}return o}var Vm=1.2;function qu(i,t,e){let n=Math.max(i,-e),s=Math.min(t,2*e),r=Math.max(0,Vm-(s-n));return[n-r/2,s-n+r]}function ed(i,t){return i.steps.filter(e=>e.from<=t&&t<=e.to)}function nd(i,t,e,n,s){let r=f=>ve(e,s.width,i[f]??NaN),o=f=>Math.min(Math.max(s.height-ve(n,s.height,t[f]??NaN),-s.height),2*s.height),[a,l]=["",""],c=!1,h=Math.max(0,Yu(i,e.lower)-1),u=Math.min(i.length,Yu(i,e.upper)+2),d=h;for(;d<u;){if(Number.isNaN(t[d])){c=!1,d+=1;continue}if(d>h&&i[d]===i[d-1]&&c){t[d]!==t[d-1]&&(l+=`M${xn(r(d))} ${xn(o(d-1))}V${xn(o(d))}`,a+=`M${xn(r(d))} ${xn(o(d))}`),d+=1;continue}let f=d,[g,y]=[d,d],m=Math.floor(r(d));for(;f+1<u&&Math.floor(r(f+1))===m&&i[f+1]!==i[f]&&!Number.isNaN(t[f+1]);)f+=1,(t[f]??NaN)<(t[g]??NaN)&&(g=f),(t[f]??NaN)>(t[y]??NaN)&&(y=f);let p=[...new Set([d,g,y,f])].sort((b,E)=>b-E);for(let b of p)a+=`${c?"L":"M"}${xn(r(b))} ${xn(o(b))}`,c=!0;d=f+1}return{line:a,jumps:l}}function Yu(i,t){let[e,n]=[0,i.length];for(;e<n;){let s=e+n>>>1;(i[s]??1/0)<t?e=s+1:n=s}return e}var Zu=String.raw`\s*(<=|>=|<|>)\s*`,Ku=String.raw`(?<![\p{L}\p{N}_.])(?<![-+*/^]\s*)([\p{L}_][\p{L}\p{N}_.]*)(?!\s*[-+*/^(\[]|[\p{L}\p{N}_.])`,Ju=String.raw`(?<![\p{L}\p{N}_.])(?<![-+*/^)\]]\s*)(-?\s*(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?!\s*[-+*/^]|[\p{L}\p{N}_.])`,Hm={"<":">","<=":">=",">":"<",">=":"<="};function bc(i,t){let e=[],n=(s,r,o)=>{s===t&&e.push({relation:r,value:Number(o.replace(/\s/g,""))})};for(let[,s="",r="",o=""]of i.matchAll(new RegExp(Ku+Zu+Ju,"gu")))n(s,r,o);for(let[,s="",r="",o=""]of i.matchAll(new RegExp(Ju+Zu+Ku,"gu")))n(o,Hm[r]??r,s);return e}var Xi=58,Gm=8,Js=8,Wm=30,js=280,Mc=4,mo=class{constructor(t,e){this.answer=t;this.source=e;let s=t.tubes.flatMap(a=>a.steps.map(l=>l.to)).reduce((a,l)=>Math.max(a,l),0);this.#r={lower:0,upper:s>0?s:Math.max(t.horizon,1e-9)},this.#o=this.#r,this.#d(),this.tools=tt("span",{class:"check-tools"},tt("label",{},"signal",this.#n),tt("label",{},"box",this.#s)),this.#t=tt("div",{class:"check-chart check-tubes",tabindex:0,role:"application","aria-roledescription":"chart"});let o=us.filter(a=>t.tubes.some(l=>l.outcome===a)).map(a=>({outcome:a,text:`enclosure of a box ${Kn[a]}`}));this.element=tt("div",{},oo(o,...this.#y()),this.#t,this.#e,this.#_()),this.#b(),this.#x=mi(this.#t,a=>{this.#l=a,this.#w()}),this.#f(),this.#A()}answer;source;element;tools;#t;#e=tt("p",{class:"check-reading","aria-live":"polite"});#n=tt("select",{"aria-label":"signal"});#s=tt("select",{"aria-label":"box of unknowns"});#i=new Gi;#r;#o;#l=0;#a=null;#c=[];#h=new Map;#u=0;#m=new AbortController;#x;destroy(){this.#m.abort(),this.#x(),this.#u+=1}zoomBy(t){let e=.5*(this.#o.lower+this.#o.upper),n=this.#a!==null&&this.#a>=this.#o.lower&&this.#a<=this.#o.upper?this.#a:e;this.#S(Zn(this.#o,this.#r,n,t))}reset(){this.#S(this.#r)}get#p(){let t=Number(this.#s.value),e=this.answer.tubes[t];return this.#s.value===""||e===void 0?this.answer.tubes:[e]}get#g(){let t=[this.answer.witness?.run,...this.#p.map(e=>e.run)];return[...new Set(t.filter(e=>e!=null))]}#d(){let t=[...new Set(this.answer.tubes.flatMap(r=>r.names))];for(let r of t)this.#n.append(tt("option",{value:r},r));let e=t.find(r=>bc(this.answer.formula,r).length>0)??t.find(r=>this.answer.formula.includes(r));e!==void 0&&(this.#n.value=e);let n=this.answer.tubes;n.length>1&&this.#s.append(tt("option",{value:""},`all ${n.length}`)),n.forEach((r,o)=>{let a=r.box.map(l=>l.lower===l.upper?`${l.name} = ${Lt(l.lower)}`:`${l.name} in ${Lu(l.lower,l.upper)}`);this.#s.append(tt("option",{value:String(o)},`${a.join(", ")||"the model as it is"}: ${r.outcome}`))});let s=()=>{this.#c=[],this.#f(),this.#w(),this.#A()};this.#n.addEventListener("change",s),this.#s.addEventListener("change",s)}#y(){if(!(this.answer.tubes.some(n=>n.run!==null)||this.answer.witness?.run!=null))return[];let e=Et("svg",{viewBox:"0 0 22 14","aria-hidden":"true"},Et("path",{d:"M0 10L11 4L22 9",class:"run"}));return[tt("li",{},e,this.answer.witness?.run!=null?"run of the counterexample":"run from the middle of a box")]}#_(){let t=this.answer.tubesLeftOut,e=t>0?`${t} more ${t===1?"box is":"boxes are"} not drawn. `:"";return tt("p",{class:"check-hint"},`${e}Bounds hold for every value in the box, rounding included. Arrow keys move along time, +, \u2212 and 0 zoom.`)}async#f(){let t=++this.#u,e=this.#n.value;for(let n of this.#g){let s=this.source.page.runs[n];if(s===void 0)continue;let r=this.#h.get(n)??new ds(this.source,s);if(this.#h.set(n,r),await r.ready,!r.has(e))continue;let o=await r.column(e);if(t!==this.#u)return;this.#c.push({t:r.t,values:o}),this.#w()}}#S(t){this.#o=t,this.#w()}get#M(){return{width:Math.max(1,this.#l-Xi-Gm),height:js-Js-Wm}}#b(){let t=s=>Yn(this.#o,this.#M.width,s-Xi),e={zoom:(s,r,o)=>this.#S(Zn(this.#o,this.#r,t(s),o)),pan:s=>this.#S(Hi(this.#o,this.#r,-s/this.#M.width*(this.#o.upper-this.#o.lower))),reset:()=>this.reset(),hover:s=>this.#v(t(s)),press:s=>this.#v(t(s)),leave:()=>{}};cs(this.#t,e,this.#m.signal);let n=s=>{if(s.ctrlKey||s.metaKey||s.altKey)return;let r={ArrowLeft:-1,ArrowRight:1}[s.key];if(r!==void 0){let o=this.#a??this.#o.lower;this.#v(o+r*(this.#o.upper-this.#o.lower)/(s.shiftKey?20:200))}else if(s.key==="+"||s.key==="=")this.zoomBy(.6);else if(s.key==="-"||s.key==="_")this.zoomBy(1/.6);else if(!hs(s.key,this.#l,js,e))return;s.preventDefault(),s.stopPropagation()};this.#t.addEventListener("keydown",n,{signal:this.#m.signal})}#v(t){this.#a=Math.min(Math.max(t,this.#o.lower),this.#o.upper),this.#w(),this.#A()}#A(){let t=this.#n.value;this.#t.setAttribute("aria-label",`enclosures of ${t} over time`);let e=this.#a;if(e===null){Xe(this.#e,`Point at the chart to read the bounds of ${t}.`);return}let n=this.#p.flatMap(o=>{let a=o.names.indexOf(t);return ed(o,e).flatMap(l=>{let c=l.bounds[a];if(c===void 0)return[];let h=l.place===""?"":` in ${l.place}`;return[`${t} in ${gn(...c)}${h}, from ${Lt(l.from)} s to ${Lt(l.to)} s (${o.outcome})`]})}),s=n.length>Mc?[`and ${n.length-Mc} more`]:[],r=n.length===0?["nothing is enclosed here"]:[...n.slice(0,Mc),...s];Xe(this.#e,tt("b",{},`t = ${Ot(Number(e.toPrecision(9)))} s`),...r.flatMap(o=>[tt("br"),o]))}#w(){if(this.#l===0)return;let t=this.#M,e=this.#n.value,n=bc(this.answer.formula,e),s=ju(this.#p,e,this.#o)??{lower:0,upper:1},r=Qu(Xm(s,n.map(l=>l.value))),o=Et("svg",{viewBox:`0 0 ${this.#l} ${js}`,height:js}),a=Et("svg",{x:Xi,y:Js,width:t.width,height:t.height,overflow:"hidden"});o.append(this.#i.definitions()),a.append(Et("rect",{width:t.width,height:t.height,class:"pattern-blank"})),this.#T(o,a,r);for(let l of this.#p){let c=td(l,e,this.#o,r,t);a.append(Et("path",{d:c,...this.#i.fill(l.outcome),"fill-opacity":l.outcome==="safe"?.4:.85,"data-outcome":l.outcome}),Et("path",{d:c,fill:"none","stroke-width":.6,"stroke-opacity":.3,class:`ink-${l.outcome}`}))}for(let{relation:l,value:c}of n){let h=t.height-ve(r,t.height,c);h<0||h>t.height||a.append(Et("line",{x1:0,x2:t.width,y1:h,y2:h,class:"threshold"}),Et("text",{x:t.width-6,y:h<18?h+13:h-5,"text-anchor":"end",class:"over"},`${e} ${l} ${c}`))}for(let{t:l,values:c}of this.#c){let{line:h,jumps:u}=nd(l,c,this.#o,r,t);a.append(Et("path",{d:h,class:"run"}),Et("path",{d:u,class:"jump"}))}if(this.#a!==null){let l=ve(this.#o,t.width,this.#a);a.append(Et("line",{x1:l,x2:l,y1:0,y2:t.height,class:"cursor"}))}o.append(a,Et("rect",{x:Xi+.5,y:Js+.5,width:t.width-1,height:t.height-1,class:"frame"})),this.#t.replaceChildren(o)}#T(t,e,n){let s=this.#M,r=Js+s.height;for(let{value:o,label:a}of xi(this.#o,Math.max(2,Math.floor(s.width/90)))){let l=ve(this.#o,s.width,o);e.append(Et("line",{x1:l,x2:l,y1:0,y2:s.height,class:"axis"}));let c=l>s.width-20?"end":"middle";t.append(Et("text",{x:Xi+l,y:r+16,"text-anchor":c},a))}for(let{value:o,label:a}of xi(n,5)){let l=s.height-ve(n,s.height,o);e.append(Et("line",{x1:0,x2:s.width,y1:l,y2:l,class:"axis"})),t.append(Et("text",{x:Xi-6,y:Js+Math.min(Math.max(l+4,9),s.height),"text-anchor":"end"},a))}t.append(Et("text",{x:Xi+s.width,y:js-2,"text-anchor":"end"},"t in s"))}};function Xm(i,t){let e=i.upper-i.lower,n=t.filter(s=>s>i.lower-e&&s<i.upper+e);return{lower:Math.min(i.lower,...n),upper:Math.max(i.upper,...n)}}var go=class{constructor(t,e){this.answer=t;this.hooks=e;let n=tt("div",{class:"check-panels"}),s=r=>r!==null&&n.append(r);s(this.#s()),s(this.#o()),s(this.#a()),s(this.#c()),s(this.#h()),this.element=tt("section",{class:"check-answer","aria-label":`property ${t.property}`},this.#e(),n)}answer;hooks;element;#t=[];destroy(){this.#t.forEach(t=>t.destroy())}#e(){let{answer:t}=this,e=tt("h3",{class:"check-word","data-verdict":t.verdict},tt("span",{},t.verdict),tt("span",{class:"name"},t.property)),n=tt("header",{class:"check-head"},Vu(t.verdict),e);t.formula!==""&&n.append(tt("code",{class:"check-formula"},t.formula));let s=t.unknowns.map(o=>o.lower===o.upper?`${o.name} = ${Ot(o.lower)}`:`${o.name} in ${gn(o.lower,o.upper)}`),r=s.length===0?"The model as it is: nothing in it is unknown.":`Asked for ${s.join(", ")}.`;return tt("div",{class:"check-answer"},n,tt("p",{class:"check-text"},t.text),tt("p",{class:"check-text quiet"},`${r} Until t = ${Lt(t.horizon)} s.`))}#n(t,e,...n){let s=tt("h4",{},tt("span",{},t));return e!==null&&s.append(e),tt("section",{class:"check-panel","aria-label":t},s,...n)}#s(){let{answer:t}=this,e=t.unknowns.filter(c=>c.lower<c.upper),n=t.partition?.axes??(t.witness!==null&&e.length<=2?e:[]),s=t.partition?.cells??[],r=n.map(c=>t.witness?.values.find(h=>h.name===c.name)?.value),[o,a]=n,l=$m(r)?[Ou()]:[];if(o!==void 0&&a===void 0){let c=new ao(o,Du(s),r[0]??null);return this.#t.push(c),this.#n(`Range of ${o.name}`,po(c),this.#i(s,n,l),c.element,...this.#r(t.partition))}if(o!==void 0&&a!==void 0){let[c,h]=r,u=new fo([o,a],s,c===void 0||h===void 0?null:[c,h]);return this.#t.push(u),this.#n(`Ranges of ${o.name} and ${a.name}`,po(u),this.#i(s,n,l),u.element,...this.#r(t.partition))}return null}#i(t,e,n){let s=Uu(t),r=e.reduce((c,h)=>c*(h.upper-h.lower),1),o=e.length===this.answer.unknowns.length||this.answer.verdict==="PARTITION",a=us.filter(c=>s[c].boxes>0),l=c=>{let h=o?` ${so(Math.min(1,s[c].size/r))}`:"",u=this.answer.verdict==="PARTITION"?io(s[c].boxes,"part","parts"):io(s[c].boxes,"box","boxes");return`${Kn[c]}${h}, ${u}`};return oo(a.map(c=>({outcome:c,text:l(c)})),...n)}#r(t){if(t===null)return[tt("p",{class:"check-hint"},"The counterexample was found by simulation: the range was not split.")];let e=[],n=t.axes.length===1?"width":"area";return t.undecidedWidth!==null&&e.push(`Undecided in all: ${n} ${Ot(t.undecidedWidth)}.`),t.stopped&&e.push("It was stopped: what was not reached counts as undecided."),this.answer.unknowns.length>t.axes.length&&this.answer.verdict!=="PARTITION"&&e.push("Boxes have more sides than are drawn, so they lie over each other."),e.length===0?[]:[tt("p",{class:"check-text quiet"},e.join(" "))]}#o(){let t=this.answer.witness;if(t===null)return null;let e=tt("dl",{class:"check-values"}),n=(r,o)=>e.append(tt("dt",{},r),tt("dd",{},o));for(let r of t.values)n(r.initial?`${r.name} at the start`:r.name,Ot(r.value));t.values.length===0&&n("values","the model as it is"),n("broken at",`t = ${Ot(t.time)} s`),t.worstTime!==t.time&&n("worst at",`t = ${Ot(t.worstTime)} s`),n("by",`${Ot(-t.robustness)} (robustness ${Ot(t.robustness)})`),n("evidence",qm(t));let s=tt("div",{class:"check-call"},tt("code",{tabindex:0},t.call),Gu(t.call));return this.#n("Counterexample",this.#l(t),e,s)}#l(t){let{run:e}=t;if(e===null)return tt("span",{class:"quiet"},"its run is not in this page");let n=tt("button",{type:"button",class:"primary"},"show it");return n.addEventListener("click",()=>this.hooks.openRun(e,t.time)),n}#a(){let{left:t}=this.answer;if(t===null)return null;let e=tt("ul",{class:"check-list"});for(let{boxes:n,kind:s,reason:r}of t.reasons)e.append(tt("li",{},tt("span",{},io(n,"box","boxes")),tt("span",{},r,tt("span",{class:"quiet"},` (${s})`))));for(let n of t.notes)e.append(tt("li",{},tt("span",{},"note"),tt("span",{},n)));return t.stopped&&e.append(tt("li",{},tt("span",{},"stopped"),tt("span",{},"before it was done: what was decided so far is shown"))),this.#n("Why it is not decided",null,e)}#c(){if(this.answer.tubes.length===0)return null;let t=new mo(this.answer,this.hooks.source);this.#t.push(t);let e=tt("span",{class:"check-tools"},t.tools,po(t));return this.#n("Enclosures",e,t.element)}#h(){let t=new ho(this.answer.figures,this.answer.horizon);return this.#t.push(t),this.#n("What it took",null,t.element)}};function $m(i){return i.length>0&&i.every(t=>t!==void 0)}function qm(i){return i.evidence==="enclosed"?"replayed by simulation, and enclosed with validated arithmetic":`replayed, not enclosed${i.notEnclosedBecause===null?"":`: ${i.notEnclosedBecause}`}`}var Ym=`
.check { --c-fg: var(--fg, #1b1f24); --c-bg: var(--bg, #fff); --c-panel: var(--panel, #f6f7f9); --c-line: var(--line, #d4d8de);
  --c-muted: var(--muted, #5b6470); --c-accent: var(--accent, #0072b2);
  --c-safe: var(--safe, #0072b2); --c-unsafe: var(--unsafe, #d55e00); --c-undecided: var(--undecided, #7a7f87);
  color: var(--c-fg); display: grid; gap: 2rem; container-type: inline-size; font-variant-numeric: tabular-nums; }
.check * { box-sizing: border-box; }
.check h3, .check h4, .check p { margin: 0; }
.check-answer { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; min-width: 0; }
.check-answer + .check-answer { border-top: 1px solid var(--c-line); padding-top: 2rem; }
.check-head { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; align-items: center; }
.check-sign { width: 3.25rem; height: 3.25rem; grid-row: span 2; }
.check-sign .shape { fill: var(--sign); } .check-sign .mark { fill: none; stroke: var(--c-bg); stroke-width: 5; stroke-linecap: round; stroke-linejoin: round; }
.check-sign .dot { fill: var(--c-bg); }
.check-word { font-size: clamp(1.6rem, 6cqw, 2.4rem); font-weight: 750; letter-spacing: .02em; line-height: 1.05; display: flex; flex-wrap: wrap; gap: .1em .5em; align-items: baseline; }
.check-word .name { font-size: 1.05rem; font-weight: 600; letter-spacing: 0; color: var(--c-muted); overflow-wrap: anywhere; }
.check-word .name, .check-formula, .check-values :is(dt, dd), .check-text { unicode-bidi: isolate; }
.check-formula { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .92rem; overflow-wrap: anywhere; }
.check-text { max-width: 72ch; line-height: 1.5; overflow-wrap: anywhere; }
.check-text.quiet, .check .quiet { color: var(--c-muted); }
.check-panels { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); }
.check-panel { background: var(--c-panel); border: 1px solid var(--c-line); border-radius: 10px; padding: 1rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: .75rem; min-width: 0; align-content: start; }
.check-panel > h4 { font-size: .95rem; font-weight: 650; display: flex; flex-wrap: wrap; gap: .5rem 1rem; justify-content: space-between; align-items: center; }
.check-tools, .check label { min-width: 0; max-width: 100%; }
.check-tools { display: inline-flex; gap: .35rem; flex-wrap: wrap; align-items: center; font-weight: 400; }
.check button, .check select { font: inherit; font-size: .85rem; color: inherit; background: var(--c-bg); border: 1px solid var(--c-line); border-radius: 6px; padding: .3rem .65rem; min-height: 2rem; max-width: 100%; }
.check select { min-width: 0; flex: 0 1 auto; text-overflow: ellipsis; }
.check button { cursor: pointer; } .check button:hover { border-color: var(--c-accent); }
.check button.primary { background: var(--c-accent); border-color: var(--c-accent); color: var(--accent-fg, #fff); font-weight: 600; }
.check button[disabled] { opacity: .45; cursor: default; }
.check :focus-visible { outline: 2px solid var(--c-accent); outline-offset: 2px; }
.check label { font-size: .85rem; display: inline-flex; gap: .4rem; align-items: center; color: var(--c-muted); min-width: 0; }
.check-chart { position: relative; margin-bottom: .5rem; touch-action: pan-y; cursor: crosshair; user-select: none; -webkit-user-select: none; border-radius: 4px; }
.check-chart svg, .check-chart canvas { display: block; width: 100%; }
.check-panels-inner { display: grid; gap: 1rem; }
.check svg text { fill: var(--c-muted); font-size: 11px; font-family: inherit; }
.check svg text.over { fill: var(--c-fg); paint-order: stroke; stroke: var(--c-bg); stroke-width: 3px; }
.check svg .axis { stroke: var(--c-line); stroke-width: 1; fill: none; shape-rendering: crispEdges; }
.check svg .frame { stroke: var(--c-muted); stroke-width: 1; fill: none; shape-rendering: crispEdges; }
.check .fill-safe { fill: var(--c-safe); } .check .fill-unsafe { fill: var(--c-unsafe); } .check .fill-undecided { fill: var(--c-bg); }
.check .ink-safe { stroke: var(--c-safe); } .check .ink-unsafe { stroke: var(--c-unsafe); } .check .ink-undecided { stroke: var(--c-undecided); }
.check .pattern-dot { fill: var(--c-bg); } .check .pattern-hatch { stroke: var(--c-undecided); stroke-width: 2; }
.check .pattern-ground { fill: var(--c-unsafe); } .check .pattern-blank { fill: var(--c-bg); }
.check .is-current { stroke: var(--c-fg); stroke-width: 2; }
.check .cursor { stroke: var(--c-fg); stroke-width: 1; stroke-dasharray: 2 2; }
.check .witness { fill: var(--c-fg); stroke: var(--c-bg); stroke-width: 1.5; }
.check .threshold { stroke: var(--c-fg); stroke-width: 1.25; stroke-dasharray: 7 4; }
.check .run { fill: none; stroke: var(--c-fg); stroke-width: 1.5; } .check .jump { fill: none; stroke: var(--c-fg); stroke-width: 1; stroke-dasharray: 2 3; }
.check .bar { fill: var(--c-accent); } .check .bar.is-current { fill: var(--c-fg); stroke: none; }
.check-legend { display: flex; flex-wrap: wrap; gap: .35rem 1.1rem; font-size: .85rem; list-style: none; margin: 0; padding: 0; }
.check-legend li { display: inline-flex; gap: .45rem; align-items: center; min-width: 0; overflow-wrap: anywhere; }
.check-legend svg { flex: none; width: 22px; height: 14px; }
.check-reading { font-size: .85rem; line-height: 1.45; min-height: 2.9em; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.check-reading b { font-weight: 650; }
.check-hint { font-size: .78rem; color: var(--c-muted); }
.check-values { display: grid; grid-template-columns: minmax(0, max-content) minmax(0, 1fr); gap: .3rem 1.25rem; margin: 0; font-size: .9rem; }
.check-values dt { color: var(--c-muted); overflow-wrap: anywhere; } .check-values dd { margin: 0; overflow-wrap: anywhere; }
.check-call { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .5rem; align-items: center; }
.check-call code { background: var(--c-bg); border: 1px solid var(--c-line); border-radius: 6px; padding: .4rem .6rem; font-size: .82rem; overflow-x: auto; white-space: nowrap; }
.check-scroll { overflow-x: auto; }
.check table { border-collapse: collapse; font-size: .85rem; } .check th, .check td { text-align: right; padding: .25rem .75rem; border-bottom: 1px solid var(--c-line); font-weight: 400; white-space: nowrap; }
.check th { color: var(--c-muted); } .check th[scope=row] { text-align: left; padding-left: 0; } .check td.words { text-align: left; white-space: normal; overflow-wrap: anywhere; }
.check summary { cursor: pointer; font-size: .85rem; color: var(--c-muted); }
.check-multiples { display: grid; gap: .75rem 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); }
.check-multiples figure { margin: 0; min-width: 0; } .check-multiples figcaption { font-size: .82rem; display: flex; justify-content: space-between; gap: .5rem; }
.check-totals { display: grid; gap: .5rem 1.5rem; grid-template-columns: repeat(auto-fill, minmax(7.5rem, 1fr)); margin: 0; }
.check-totals div { display: grid; } .check-totals dt { order: 2; font-size: .78rem; color: var(--c-muted); } .check-totals dd { margin: 0; font-size: 1.15rem; font-weight: 600; }
.check-list { margin: 0; padding: 0; list-style: none; display: grid; gap: .4rem; font-size: .9rem; }
.check-list li { display: grid; grid-template-columns: minmax(4.5rem, max-content) 1fr; gap: .75rem; overflow-wrap: anywhere; }
.check-list li > :first-child { color: var(--c-muted); text-align: right; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`,id=!1;function sd(){if(id)return;id=!0;let i=new CSSStyleSheet;i.replaceSync(Ym),document.adoptedStyleSheets=[...document.adoptedStyleSheets,i]}var xo=class{#t;#e;constructor(t,e,n){sd(),this.#t=e.answers.map(s=>new go(s,n)),this.#e=tt("div",{class:"check","data-seed":e.seed},...this.#t.map(s=>s.element)),t.append(this.#e)}destroy(){this.#t.forEach(t=>t.destroy()),this.#e.remove()}};function rd(i,t){return t.length===0?null:C("section",{},C("h3",{},i),C("dl",{class:"dv-figures"},...t.flatMap(e=>[C("dt",{},Xt(e.name.replace(/_/g," "))),C("dd",{},mn(e.value))])))}function Zm(i){return i.length===0?null:C("section",{},C("h3",{},"Parameters"),C("dl",{class:"dv-figures"},...i.flatMap(t=>[C("dt",{},Xt(t.name)),C("dd",{},mn(t.value))])))}function od(i){let t=C("details",{class:"dv-about"},C("summary",{},"Parameters, energy balance, figures of the run"));return t.append(C("div",{class:"dv-columns"},Zm(i.parameters),i.balance===null?null:rd("Energy balance in J",i.balance),rd("Figures",[...i.statistics,{name:"seed",value:i.seed}]),C("section",{},C("h3",{},"End of the run"),C("p",{},Xt(i.stop.text)," at ",C("span",{class:"dv-num"},`(t, n) = (${i.stop.t}, ${i.stop.n})`))))),t}function ad(i){if(i.source===null)return null;let{text:t,name:e}=i.source,n=te("Copy",()=>{navigator.clipboard?.writeText(t).catch(()=>{})},{class:"dv-small"}),s=C("ol",{class:"dv-lines"});for(let r of t.replace(/\n$/,"").split(`
`))s.append(C("li",{},Xt(r.replace(/\r$/,""))));return C("details",{class:"dv-about dv-source"},C("summary",{},"Model: ",Xt(e)),C("div",{class:"dv-source-tools"},n),C("div",{class:"dv-source-text",tabindex:0,role:"region","aria-label":"Text of the model"},s))}function vo(){let i=document.documentElement.dataset.theme;return i==="dark"||i==="light"?i:matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light"}function cd(){document.dispatchEvent(new CustomEvent("themechange"))}function yo(){document.documentElement.dataset.theme=vo()==="dark"?"light":"dark",cd()}var ld=!1;function hd(){ld||(ld=!0,matchMedia("(prefers-color-scheme: dark)").addEventListener("change",cd))}function Qn(i){return getComputedStyle(document.documentElement).getPropertyValue(i).trim()}var Km={bodies:"rigid bodies",actors:"actor model",trace:"trace"},_o=class{constructor(t,e,n){this.page=t;this.#e=t.runs.length>1?Sn("Which run",t.runs.map((s,r)=>({value:String(r),text:qt(s.title)})),"0",s=>e(Number(s)),{class:"dv-runs"}):null,this.element.append(C("h1",{},Xt(t.system)),C("span",{class:"dv-muted dv-kindtext"},Km[t.kind]),this.#t,C("span",{class:"dv-spring"}),...this.#e===null?[]:[this.#e],te("Dark or light",yo,{icon:"theme",key:"T",class:"dv-quiet"}),te("Keyboard",n,{icon:"help",key:"?",class:"dv-quiet"}))}page;element=C("header",{class:"dv-top"});#t=C("span",{class:"dv-status",role:"status"});#e;show(t){this.#e!==null&&(this.#e.value=String(t));let e=this.page.runs[t];if(this.page.check!==null){let n=this.page.check.answers.map(r=>r.verdict),s=[...new Set(n)];this.#t.replaceChildren(...s.map(r=>C("span",{class:`dv-verdict dv-${r.toLowerCase()}`},n.length===1?r:`${n.filter(o=>o===r).length} ${r}`)))}else e!==void 0&&(this.#t.replaceChildren(C("span",{},Xt(e.stop.text),` at t = ${Lt(e.stop.t)}`)),this.#t.classList.toggle("dv-early",e.stop.reason!=="horizon"))}};var Jm=[["Everywhere",[["Space","play or pause"],["\u2192  \u2190","one microstep on or back"],["Shift \u2192  Shift \u2190","to the next or previous instant with events"],["Home  End","to the start or the end"],[".  ,","faster or slower"],["L","loop"],["E","at events: go on, go slowly, stop"],["T","dark or light"],["?","this help"]]],["In the scene, a drawing or a plot (click or tab to it)",[["\u2192 \u2190 \u2191 \u2193","turn or move"],["+  \u2212","nearer or farther"],["0","fit"],["Mouse","drag turns or moves, right drag moves the camera, wheel zooms"]]]],bo=class{element=C("dialog",{class:"dv-help","aria-label":"Keyboard"});constructor(){this.element.append(C("header",{},C("h2",{},"Keyboard"),C("span",{class:"dv-spring"}),te("Close",()=>this.element.close(),{class:"dv-small"})),...Jm.flatMap(([t,e])=>[C("h3",{},t),C("dl",{},...e.flatMap(([n,s])=>[C("dt",{},...n.split("  ").map(r=>C("kbd",{},r))),C("dd",{},s)]))])),this.element.addEventListener("click",t=>{t.target===this.element&&this.element.close()})}toggle(){this.element.open?this.element.close():this.element.showModal()}};var Sc=["through","slow","stop"];function ud(i,t,e,n){n.listen(document,"keydown",s=>{s.defaultPrevented||s.ctrlKey||s.metaKey||s.altKey||!jm(i,s)||Qm(s,t(),e)&&s.preventDefault()})}function jm(i,t){let{target:e}=t;return!(e instanceof Element)||e!==document.body&&!i.contains(e)?!1:e.closest("dialog[open]")!==null?t.key==="?":e.closest("textarea, select, input, [contenteditable], [role=listbox], [role=tablist]")!==null?!1:!(t.key===" "&&e.closest("button, a, summary")!==null)}function Qm(i,t,e){let n=i.key==="ArrowRight";switch(i.key){case"?":return e(),!0;case"t":case"T":return yo(),!0}if(t===null)return!1;switch(i.key){case" ":return t.toggle(),!0;case"ArrowRight":case"ArrowLeft":return i.shiftKey?t.instant(n?1:-1):t.step(n?1:-1),!0;case"Home":return t.start(),!0;case"End":return t.end(),!0;case".":return t.faster(1),!0;case",":return t.faster(-1),!0;case"l":case"L":return t.setLoop(!t.loop),!0;case"e":case"E":return t.setAtEvents(Sc[(Sc.indexOf(t.atEvents)+1)%Sc.length]??"through"),!0;default:return!1}}function fs(i,t){return i.t===t.t?i.n-t.n:i.t-t.t}function dd(i,t){let e=0,n=i.length;for(;e<n;){let s=e+n>>>1,r=i[s];r!==void 0&&fs(r,t)<0?e=s+1:n=s}return e}var Mo=class{constructor(t){this.run=t;this.#n=t.transitions,this.#t={t:t.from,n:0}}run;#t;#e=new Set;#n;get moment(){return this.#t}get taken(){return this.takenBefore(this.#t)}takenBefore(t){return dd(this.#n,t)}set(t){let n={t:Math.min(Math.max(t.t,this.run.from),this.run.to),n:Math.max(0,Math.trunc(t.n))};if(fs(n,this.#t)!==0){this.#t=n;for(let s of this.#e)s(n)}}setTime(t){this.set({t,n:this.lastMicrostep(t)})}lastMicrostep(t){let e=this.#n[this.takenBefore({t,n:Number.MAX_SAFE_INTEGER})-1];return e!==void 0&&e.t===t?e.n+1:0}step(t){let e=this.taken;if(t===1){let n=this.#n[e];if(n===void 0)return;let s={t:n.t,n:n.n};this.set(fs(this.#t,s)<0?s:{t:n.t,n:n.n+1})}else{let n=this.#n[e-1];if(n===void 0)return;let s={t:n.t,n:n.n+1};this.set(fs(s,this.#t)<0?s:{t:n.t,n:n.n})}}place(t){let e=this.run.machines[t];if(e===void 0)return null;let n=dd(e.moves,this.#t),s=e.moves[n-1];return s===void 0?e.initial:s.place}subscribe(t){return this.#e.add(t),()=>this.#e.delete(t)}};var fd=`
.dv-graph { position: absolute; inset: 0; overflow: hidden; cursor: grab; touch-action: none; }
.dv-graph:active { cursor: grabbing; } .dv-graph:focus-visible { outline-offset: -3px; }
.dv-graph-holder { width: 100%; height: 100%; display: block; }
.dv-visits { position: absolute; right: 8px; top: 8px; bottom: 8px; width: min(250px, 70%); height: max-content; max-height: calc(100% - 16px); overflow: auto; background: var(--panel); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--shade); padding: 6px 8px; font-size: 13px; }
.dv-visits header { display: flex; gap: 8px; align-items: center; } .dv-visits header .dv-spring { flex: 1; } .dv-visits ul { list-style: none; margin: 4px 0 0; padding: 0; } .dv-visits li button { width: 100%; justify-content: flex-start; gap: 10px; }
.dv-drawings { max-width: 24ch !important; }
`,pd=`
svg { width: 100%; height: 100%; display: block; user-select: none; }
.paper { fill: none !important; }
[data-light] { cursor: pointer; }
.dv-taken path, path.dv-taken, .dv-taken line, line.dv-taken { stroke-width: 3; }
.dv-last path:not([class*=tip]), path.dv-last, .dv-last line, line.dv-last { stroke-width: 5; stroke: var(--mark); stroke-dasharray: none; }
.dv-lit > rect, .dv-lit > ellipse, .dv-lit > circle, .dv-lit > path, .dv-lit > polygon, rect.dv-lit, ellipse.dv-lit, circle.dv-lit, polygon.dv-lit { stroke: var(--accent); stroke-width: 4.5; fill: color-mix(in srgb, var(--accent) 38%, transparent); }
.dv-lit > text, text.dv-lit { font-weight: bold; }
`;var md="http://www.w3.org/2000/svg",tg=new Set(["svg","g","defs","marker","path","rect","circle","ellipse","line","polyline","polygon","text","tspan","title","desc","pattern","clipPath","linearGradient","stop"]);function gd(i){let t=new DOMParser().parseFromString(i,"image/svg+xml"),e=t.documentElement;if(e.localName!=="svg"||e.namespaceURI!==md||t.querySelector("parsererror")!==null)return null;let n=[...e.querySelectorAll("style")].map(a=>a.textContent??"").join(`
`);xd(e);let s=document.importNode(e,!0),[,,r=0,o=0]=(s.getAttribute("viewBox")??"").split(/[\s,]+/).map(Number);return{svg:s,style:n,width:r>0?r:Number(s.getAttribute("width"))||100,height:o>0?o:Number(s.getAttribute("height"))||100}}function xd(i){for(let{name:t,value:e}of[...i.attributes])eg(t,e)||i.removeAttribute(t);for(let t of[...i.children])t.namespaceURI===md&&tg.has(t.localName)?xd(t):t.remove()}function eg(i,t){return/^on|href$|^style$|^src$/i.test(i)?!1:!/url\s*\(/i.test(t)||/^\s*url\(\s*#[\w.:-]+\s*\)\s*$/i.test(t)}function vd(i,t){let e=new CSSStyleSheet;e.replaceSync(i.replace(/@import[^;]*;?/gi,"").replace(/url\s*\([^)]*\)/gi,"none"));for(let n of e.cssRules)n instanceof CSSMediaRule&&n.media.mediaText.includes("prefers-color-scheme")&&(n.media.mediaText=n.media.mediaText.includes("dark")===t?"all":"not all");return e}var So=class{#t;#e;#n=new Map;#s;taken;constructor(t,e,n,s){this.#t=e,this.#e=n,this.#s=s;for(let a of t.places)this.#n.set(a.name,a.lights);let r=new Set,o=new Map;for(let[a,l]of t.transitions.entries()){let c=JSON.stringify([l.from,l.to,l.guard]);if(!r.has(c)){r.add(c);for(let h of this.edgeElements(l))o.has(h)||o.set(h,a)}}this.taken=o}#i(t){return this.#n.get(t)??[t]}light(t){return this.#i(t).find(e=>this.#t.has(e))??null}elements(t){return this.#t.get(t)??[]}edgeElements(t){let e=this.#e.get(this.edge(t)??"")??[];if(e.length<2||t.guard==="")return e;let n=e.filter(s=>this.#s(s).includes(t.guard));return n.length>0?n:e}edge(t){let e=this.#i(t.from),n=this.#i(t.to);for(let s=0;s<e.length+n.length-1;s++)for(let r=Math.max(0,s-n.length+1);r<=Math.min(s,e.length-1);r++){let o=`${e[r]}\u2192${n[s-r]}`;if(this.#e.has(o))return o}return null}};function yd(i,t,e){let n=[];for(let s of i.machines){let r=null;for(let{t:o,n:a,place:l}of[{t:i.from,n:-1,place:s.initial},...s.moves]){let c=l===null?null:t.light(l);l!==null&&c===e&&r!==e&&n.push({t:o,n:a+1,place:l}),r=c}}return n.sort((s,r)=>s.t-r.t||s.n-r.n)}var wo=class{constructor(t,e,n,s,r){this.host=t;this.svg=e;this.width=n;this.height=s;e.removeAttribute("width"),e.removeAttribute("height"),e.setAttribute("preserveAspectRatio","xMidYMid meet"),r.listen(t,"wheel",o=>{!o.ctrlKey&&document.activeElement!==t||(o.preventDefault(),this.zoom(Math.exp(o.deltaY*.0016),o.clientX,o.clientY))},{passive:!1}),r.listen(t,"pointerdown",o=>{this.moved=!1,this.#s.set(o.pointerId,{x:o.clientX,y:o.clientY})}),r.listen(t,"pointermove",o=>this.#r(o));for(let o of["pointerup","pointercancel","pointerleave"])r.listen(t,o,a=>this.#s.delete(a.pointerId));r.listen(t,"keydown",o=>this.#l(o)),this.fit()}host;svg;width;height;#t=0;#e=0;#n=1;#s=new Map;moved=!1;fit(){this.#t=0,this.#e=0,this.#n=1,this.#a()}zoom(t,e,n){let s=this.host.getBoundingClientRect(),r=e===void 0?0:e-s.left-s.width/2,o=n===void 0?0:n-s.top-s.height/2,a=Math.min(2,Math.max(.02,this.#n*t)),l=this.#n-a,c=this.#i(s)/this.#n;this.#t+=l*(this.width/2+r*c),this.#e+=l*(this.height/2+o*c),this.#n=a,this.#a()}#i(t){return this.#n*Math.max(this.width/Math.max(1,t.width),this.height/Math.max(1,t.height))}#r(t){let e=this.#s.get(t.pointerId);if(e===void 0)return;let n=t.clientX-e.x,s=t.clientY-e.y;if(!this.moved&&Math.hypot(n,s)<4)return;this.moved=!0,this.host.setPointerCapture(t.pointerId);let o=[...this.#s.entries()].filter(([a])=>a!==t.pointerId)[0]?.[1];if(o!==void 0){let a=Math.hypot(e.x-o.x,e.y-o.y),l=Math.hypot(t.clientX-o.x,t.clientY-o.y);l>0&&a>0&&this.zoom(a/l,o.x,o.y)}else this.#o(-n,-s);this.#s.set(t.pointerId,{x:t.clientX,y:t.clientY})}#o(t,e){let n=this.host.getBoundingClientRect(),s=this.#i(n);this.#t+=t*s,this.#e+=e*s,this.#a()}#l(t){if(t.target!==this.host||t.ctrlKey||t.metaKey||t.altKey||t.shiftKey&&t.key.startsWith("Arrow"))return;let n={ArrowLeft:()=>this.#o(-40,0),ArrowRight:()=>this.#o(40,0),ArrowUp:()=>this.#o(0,-40),ArrowDown:()=>this.#o(0,40),"+":()=>this.zoom(1/1.2),"=":()=>this.zoom(1/1.2),"-":()=>this.zoom(1.2),0:()=>this.fit()}[t.key];n!==void 0&&(n(),t.preventDefault())}#a(){this.svg.setAttribute("viewBox",`${this.#t} ${this.#e} ${this.#n*this.width} ${this.#n*this.height}`)}};var wc=200,Eo=class{constructor(t,e,n,s){this.graphs=n;this.cursor=s;this.#i=t,n.length>1&&e.append(Sn("Which drawing",n.map((r,o)=>({value:String(o),text:qt(r.title)})),"0",r=>this.#l(Number(r)),{class:"dv-small dv-drawings"})),e.append(te("Nearer",()=>this.#r?.view.zoom(1/1.3),{class:"dv-small dv-quiet"}),te("Farther",()=>this.#r?.view.zoom(1.3),{class:"dv-small dv-quiet"}),te("Whole drawing",()=>this.#r?.view.fit(),{icon:"fit",key:"0",class:"dv-small dv-quiet"})),t.append(this.#n,this.#s),this.#t.add(s.subscribe(()=>this.#e.ask())),this.#l(0)}graphs;cursor;#t=new ue;#e=new Fe(()=>this.#a());#n=C("div",{class:"dv-graph",tabindex:0,role:"group"});#s=C("div",{class:"dv-visits",hidden:!0});#i;#r=null;#o=[];destroy(){this.#t.run(),this.#r?.undo.run(),this.#e.cancel()}#l(t){this.#r?.undo.run(),this.#r=null,this.#s.hidden=!0;let e=this.graphs[t],n=e===void 0?null:gd(e.svg),s=C("div",{class:"dv-graph-holder"});if(this.#n.replaceChildren(s),n===null||e===void 0){s.append(C("p",{class:"dv-empty"},"This drawing cannot be read."));return}this.#n.setAttribute("aria-label",`Drawing: ${qt(e.title)}. Arrow keys move it, plus and minus zoom, 0 shows the whole.`);let r=s.attachShadow({mode:"open"});r.append(n.svg);let o=new ue,a=()=>{r.adoptedStyleSheets=[vd(n.style,vo()==="dark"),ng()],s.dataset.theme=vo()};a(),o.listen(document,"themechange",a);let l=_d(n.svg,"data-light"),c=_d(n.svg,"data-edge"),h=new So(this.cursor.run,l,c,d=>d.textContent??""),u=new wo(this.#n,n.svg,n.width,n.height,o);for(let[d,f]of l)for(let g of f)o.listen(g,"click",y=>{u.moved||(y.stopPropagation(),this.#c(d,h))});this.#r={undo:o,lights:h,view:u},this.#o=[],this.#a()}#a(){let t=this.#r;if(t===null)return;let{run:e,taken:n}=this.cursor;for(let l of this.#o.splice(0))l.classList.remove("dv-lit","dv-last","dv-taken");let s=(l,c)=>{for(let h of l)h.classList.add(c),this.#o.push(h)},r=[];for(let l of e.machines.keys()){let c=this.cursor.place(l),h=c===null?null:t.lights.light(c);h!==null&&(r.push(h),s(t.lights.elements(h),"dv-lit"))}for(let[l,c]of t.lights.taken)c<n&&s([l],"dv-taken");let o=e.transitions[n-1],a=o===void 0?null:t.lights.edge(o);o!==void 0&&s(t.lights.edgeElements(o),"dv-last"),this.#n.dataset.lit=r.join(" "),this.#n.dataset.last=a??""}#c(t,e){let n=yd(this.cursor.run,e,t),s=C("ul",{});for(let o of n.slice(0,wc)){let a=C("button",{type:"button",class:"dv-small dv-quiet"},C("span",{class:"dv-num"},Vi(o)),Xt(o.place));a.addEventListener("click",()=>this.cursor.set(o)),s.append(C("li",{},a))}let r=te("Close",()=>{this.#s.hidden=!0,this.#n.focus()},{class:"dv-small dv-quiet"});this.#s.replaceChildren(C("header",{},C("strong",{},Xt(t)),C("span",{class:"dv-muted"},n.length===0?"never visited":n.length===1?"one visit":`${n.length} visits`),C("span",{class:"dv-spring"}),r),s,...n.length>wc?[C("p",{class:"dv-muted"},`the first ${wc} are listed`)]:[]),this.#s.hidden=!1,this.#i.dataset.visits=t}},To=null;function ng(){return To===null&&(To=new CSSStyleSheet,To.replaceSync(pd)),To}function _d(i,t){let e=new Map;for(let n of i.querySelectorAll(`[${t}]`)){let s=n.getAttribute(t)??"",r=e.get(s);r===void 0?e.set(s,[n]):r.push(n)}return e}var ps=class{constructor(t,e,n,s=[]){this.from=t;this.to=e;this.width=n;let r=s.map(u=>Math.max(26,18*Math.min(u.last+1,24))),o=r.reduce((u,d)=>u+d,0),a=Math.min(1,.5*n/o),l=r.map(u=>u*a),c=l.reduce((u,d)=>u+d,0);this.scale=(n-c)/(e-t);let h=0;this.bands=s.map((u,d)=>{let f=(u.t-t)*this.scale+h;return h+=l[d],{...u,left:f,right:f+l[d]}})}from;to;width;bands;scale;x(t){let e=this.#t(t),n=this.bands[e-1];return n===void 0?(t-this.from)*this.scale:n.right+(t-n.t)*this.scale}xOf(t){let e=this.band(t.t);return e===null?this.x(t.t):Qs(e,t.n)}at(t){let e=null;for(let s of this.bands){if(t<s.left)break;if(t<=s.right){let r=Math.floor((t-s.left)/(s.right-s.left)*(s.last+1));return{t:s.t,n:Math.min(Math.max(r,0),s.last)}}e=s}return{t:e===null?this.from+t/this.scale:e.t+(t-e.right)/this.scale,n:null}}band(t){let e=this.bands[this.#t(t)];return e!==void 0&&e.t===t?e:null}pieces(){let t=[],e=null;for(let n of[...this.bands,null])t.push({from:e?.t??this.from,to:n?.t??this.to,left:e?.right??0,right:n?.left??this.width,before:e,after:n}),e=n;return t}#t(t){let e=0,n=this.bands.length;for(;e<n;){let s=e+n>>>1;this.bands[s].t<t?e=s+1:n=s}return e}};function Qs(i,t){return i.left+(Math.min(t,i.last)+.5)/(i.last+1)*(i.right-i.left)}function bd(i,t,e,n,s,r){let[o,a]=r.within(i,t);if(o===a||(a-o)*26>.5*e)return null;let l=Array.from(r.starts.subarray(o,a),c=>{let[h,u]=r.group(c);return{t:n[h],start:h,end:u,last:Math.max(1,s[u-1])}});return new ps(i,t,e,l)}function Md(i,t,e,n){let s=r=>{let o=i.getBoundingClientRect();return{x:r.clientX-o.left-t().left,y:r.clientY-o.top}};sg(i,s,e,n),n.listen(i,"wheel",r=>{let o=r.deltaMode===0?1:r.deltaMode===1?30:300,[a,l]=[r.deltaX*o,r.deltaY*o];r.shiftKey||Math.abs(a)>Math.abs(l)?(r.preventDefault(),e.pan(Math.abs(a)>Math.abs(l)?a:l)):e.zoom(Math.exp(Math.max(-200,Math.min(200,l))*.002),s(r).x)&&r.preventDefault()},{passive:!1}),n.listen(i,"dblclick",()=>e.reset()),n.listen(i,"keydown",r=>{r.altKey||r.ctrlKey||r.metaKey||!ig(r,t().width,e)||(r.preventDefault(),r.stopPropagation())})}function ig(i,t,e){switch(i.key){case"ArrowLeft":case"ArrowRight":{let n=i.key==="ArrowRight"?1:-1;return i.shiftKey?e.walk(n):e.pan(n*t/10),!0}case"+":case"=":return e.zoom(1/1.5,e.focus()),!0;case"-":case"_":return e.zoom(1.5,e.focus()),!0;case"0":return e.reset(),!0;case"Enter":return e.put(),!0;default:return!1}}function sg(i,t,e,n){let s=new Map,r=null,o=!1,a=c=>({left:Math.min(r?.x??c.x,c.x),right:Math.max(r?.x??c.x,c.x),top:Math.min(r?.y??c.y,c.y),bottom:Math.max(r?.y??c.y,c.y)});n.listen(i,"pointerdown",c=>{if(c.button!==0)return;i.setPointerCapture(c.pointerId);let h=t(c);s.set(c.pointerId,h),s.size===1?(r={...h,box:c.shiftKey},o=!1):o=!0}),n.listen(i,"pointermove",c=>{let h=t(c),u=s.get(c.pointerId);if(u===void 0){e.hover(h.x);return}r!==null&&Math.hypot(h.x-r.x,h.y-r.y)>4&&(o=!0);let d=[...s].find(([f])=>f!==c.pointerId)?.[1];d!==void 0?rg(u,h,d,e):r?.box===!0?e.outline(a(h)):o&&e.pan(u.x-h.x),(o||d!==void 0)&&s.set(c.pointerId,h)});let l=(c,h)=>{if(!s.delete(c.pointerId)||s.size>0)return;let u=t(c);if(h&&r!==null){if(!o)e.click(u.x);else if(r.box){let{left:d,right:f,top:g,bottom:y}=a(u);e.box(d,f,g,y)}}e.outline(null),r=null};n.listen(i,"pointerup",c=>l(c,!0)),n.listen(i,"pointercancel",c=>l(c,!1)),n.listen(i,"pointerleave",c=>{s.size===0&&c.pointerType!=="touch"&&e.leave()})}function rg(i,t,e,n){let[s,r]=[Math.abs(i.x-e.x),Math.abs(t.x-e.x)];s>10&&r>10&&n.zoom(s/r,(t.x+e.x)/2),n.pan((i.x-t.x)/2)}function wd(i){let t=new Map;for(let{name:n,kind:s,unit:r,shown:o}of i){if(!o)continue;let a=JSON.stringify([s,r]),l=t.get(a);l===void 0?t.set(a,[n]):l.includes(n)||l.push(n)}let e=[];for(let n of t.values())for(let s=0;s<n.length;s+=6)e.push(n.slice(s,s+6));return e.slice(0,8)}var Sd=16;function Td(i){let t=[];for(let{name:e,size:n}of i){let s=t.find(r=>n===0||r.size===0?!0:n<=Sd*r.size&&r.size<=Sd*n);s===void 0?t.push({names:[e],size:n}):(s.names.push(e),s.size=Math.max(s.size,n))}return t.map(({names:e})=>e)}var Ao=class{starts;#t;constructor(t){this.#t=t;let e=0;for(let s=1;s<t.length;s++)t[s]===t[s-1]&&(s===1||t[s]!==t[s-2])&&e++;this.starts=new Uint32Array(e);let n=0;for(let s=1;s<t.length;s++)t[s]===t[s-1]&&(s===1||t[s]!==t[s-2])&&(this.starts[n++]=s-1)}group(t){let e=this.#t[t];return e!==this.#t[t-1]&&e!==this.#t[t+1]?[t,t+1]:[Tn(this.#t,e),On(this.#t,e)]}within(t,e){let n=$i(this.starts,Tn(this.#t,t));return[n,Math.max(n,$i(this.starts,On(this.#t,e)))]}nearest(t){let e=$i(this.starts,Tn(this.#t,t)),n=this.starts[e],s=this.starts[e-1];return s===void 0?n??-1:n===void 0||t-this.#t[s]<=this.#t[n]-t?s:n}};function $i(i,t){let e=0,n=i.length;for(;e<n;){let s=e+n>>>1;i[s]<t?e=s+1:n=s}return e}var vi=[[],[7,3],[2,2.5],[9,3,2,3],[14,4],[4,2,1,2,1,2],[1,4],[18,3,3,3]],Co=[0,3,2,4,1,7,5,6],og=["#0072b2","#e69f00","#009e73","#d55e00","#cc79a7","#56b4e9","#8a7f00","#4d5663"];function Tc(i){let t=getComputedStyle(i),e=(n,s)=>t.getPropertyValue(n).trim()||s;return{fg:e("--fg","#1b2026"),muted:e("--muted","#5b6672"),line:e("--line","#d7dce2"),panel:e("--panel","#ffffff"),raised:e("--raised","#f0f2f5"),series:Co.map(n=>e(`--c${n}`,og[n])),font:`11px ${e("--font","system-ui, sans-serif")}`}}function Ro(i,t,e,n){let[s,r]=[Math.round(t*n),Math.round(e*n)];if(s===0||r===0)return null;(i.width!==s||i.height!==r)&&([i.width,i.height]=[s,r]);let o=i.getContext("2d",{willReadFrequently:!0});return o?.setTransform(s/t,0,0,r/e,0,0),o?.clearRect(0,0,t,e),o}function Ad(i,t,e,n,s,r,o){i.save(),i.translate(t.left,0),i.fillStyle=o.raised;for(let a of e.bands)i.fillRect(a.left,t.top,a.right-a.left,t.height);i.lineWidth=1,i.strokeStyle=o.line;for(let a of e.bands)i.strokeRect(Math.round(a.left)+.5,t.top-1,Math.round(a.right-a.left),t.height+2);i.globalAlpha=.6,i.beginPath();for(let a of n.values){let l=Math.round(e.x(a))+.5;i.moveTo(l,t.top),i.lineTo(l,t.top+t.height)}for(let a of s.values){let l=Math.round(r(a))+.5;i.moveTo(0,l),i.lineTo(t.width,l)}if(i.stroke(),s.values.includes(0)&&(i.globalAlpha=1,i.strokeStyle=o.muted,i.lineWidth=.75,i.beginPath(),i.moveTo(0,Math.round(r(0))+.5),i.lineTo(t.width,Math.round(r(0))+.5),i.stroke()),i.restore(),i.save(),i.font=o.font,i.fillStyle=o.muted,i.textAlign="right",i.textBaseline="middle",s.values.forEach((a,l)=>{let c=Math.min(Math.max(r(a),t.top+5),t.top+t.height-5);i.fillText(s.labels[l]??"",t.left-7,c)}),s.note!==""){i.textAlign="left",i.textBaseline="top";let a=i.measureText(s.note).width;i.fillStyle=o.panel,i.fillRect(t.left+2,t.top+1,a+8,14),i.fillStyle=o.muted,i.fillText(s.note,t.left+6,t.top+3)}i.restore()}function Cd(i,t,e,n,s,r){let o=r.series[n%r.series.length];i.save(),i.beginPath(),i.rect(t.left,t.top-4,t.width,t.height+8),i.clip(),i.translate(t.left,0),i.strokeStyle=i.fillStyle=o,i.lineJoin="round",i.lineWidth=1.6,i.globalAlpha=.7,ag(i,e.spans),i.globalAlpha=1,i.setLineDash([...vi[n%vi.length]]),lg(i,e.lines),i.setLineDash([1.5,2.5]),i.lineWidth=1.3,i.beginPath();for(let l=0;l<e.dotted.length;l+=4)i.moveTo(e.dotted[l],e.dotted[l+1]),i.lineTo(e.dotted[l+2],e.dotted[l+3]);i.stroke(),i.setLineDash([]),i.beginPath();for(let l=0;l<e.stems.length;l+=2)i.moveTo(e.stems[l],s),i.lineTo(e.stems[l],e.stems[l+1]);i.stroke();let a=5*(e.dots.length+e.stems.length)/2>t.width?1.5:2.6;Ed(i,e.dots,a),Ed(i,e.stems,a),i.restore()}function ag(i,t){i.beginPath();for(let e=0;e<t.length;e+=3){let[n,s]=[t[e+1],t[e+2]];i.moveTo(t[e],n+.5),i.lineTo(t[e],Math.min(s,n-.5))}i.stroke()}function lg(i,t){i.lineCap="round",i.beginPath();let e=!0;for(let n=0;n<t.length;n+=2){let[s,r]=[t[n],t[n+1]];if(Number.isNaN(s)){e=!0;continue}e&&i.moveTo(s,r),i.lineTo(s,r),e=!1}i.stroke(),i.lineCap="butt"}function Ed(i,t,e){i.beginPath();for(let n=0;n<t.length;n+=2)i.moveTo(t[n]+e,t[n+1]),i.arc(t[n],t[n+1],e,0,2*Math.PI);i.fill()}function Po(i,t,e,n,s,r){i.save(),i.font=r.font,i.textBaseline="top",i.textAlign="center",i.strokeStyle=r.muted,i.fillStyle=r.muted;let o=t.top;i.beginPath(),i.moveTo(t.left,o+.5),i.lineTo(t.left+t.width,o+.5),i.stroke();for(let l of n.values)i.fillRect(Math.round(t.left+e.x(l)),o,1,4);Ec(i,t,e,n,o+6,r),i.fillStyle=r.fg;for(let l of s){if(e.band(l)!==null)continue;let c=t.left+e.x(l);i.beginPath(),i.moveTo(c,o+1),i.lineTo(c-3,o-4),i.lineTo(c+3,o-4),i.fill()}i.fillStyle=r.muted;for(let l of e.bands)cg(i,t,l,o);i.textAlign="right";let a=n.note===""?"t (s)":`t = ${n.note} s`;i.fillText(a,t.left+t.width+6,o+20),i.restore()}function Ec(i,t,e,n,s,r){i.save(),i.font=r.font,i.textBaseline="top",i.textAlign="center",i.fillStyle=r.muted;let o=-1/0;n.values.forEach((a,l)=>{let c=n.labels[l]??"",h=i.measureText(c).width/2,u=Math.min(Math.max(t.left+e.x(a),h),t.left+t.width+10-h);u-h<o+8||(o=u+h,i.fillText(c,u,s))}),i.restore()}function cg(i,t,e,n){let s=(e.right-e.left)/(e.last+1),r=Math.ceil((i.measureText(String(e.last)).width+5)/s);for(let o=0;o<=e.last;o+=r)i.fillText(String(o),t.left+Qs(e,o),n-15)}var Rd=2,hg=6,ug=.75,dg=48;function Pd(i,t,e){let{t:n,pyramid:s}=i,r=Tn(n,t.from),o=On(n,t.to),a=$i(s.jumps,r),l=$i(s.jumps,o)-a,c=o-r<=Rd*t.width,h=c||l*hg<=t.width,u={lines:[],spans:[],dotted:[],dots:[],stems:[],exact:c,jumps:h?0:l};for(let d of t.pieces())new Ac(i,d,t,e,u,h).draw();for(let d of t.bands)pg(i,d,e,u);return u}function Id(i){let{lines:t,spans:e,dotted:n,dots:s,stems:r}=i;return t.length/2+e.length/3+n.length/4+s.length/2+r.length/2}function Cc(i,t,e){let{t:n,values:s,pyramid:r}=i,{min:o,max:a}=r.extent(Tn(n,t),On(n,e));for(let l of[t,e]){let c=Wi(n,s,On(n,l)-1,l);Number.isFinite(c)&&(o=Math.min(o,c),a=Math.max(a,c))}return!r.lasting&&o<=a?[Math.min(o,0),Math.max(a,0)]:o<=a?[o,a]:null}var Ac=class{constructor(t,e,n,s,r,o){this.series=t;this.piece=e;this.axis=n;this.y=s;this.drawing=r;this.apart=o;this.#s=e.before===null?Tn(t.t,e.from):e.before.end-1,this.#i=e.after===null?On(t.t,e.to):e.after.start+1}series;piece;axis;y;drawing;apart;#t=!1;#e=null;#n=null;#s;#i;draw(){let{piece:t}=this;this.series.pyramid.lasting&&t.before===null&&this.#r(this.#s,t.from,t.left),this.drawing.exact?this.#o():this.#c(),this.series.pyramid.lasting&&t.after===null&&this.#r(this.#i,t.to,t.right),this.#d()}#r(t,e,n){let{t:s,values:r}=this.series;if(t<=0||t>=s.length||s[t-1]>=e)return;let o=Wi(s,r,t-1,e);Number.isFinite(o)&&this.#g(n,o)}#o(){let{t,values:e,pyramid:n}=this.series;for(let s=this.#s;s<this.#i;){let r=s+1;for(;r<this.#i&&t[r]===t[s];)r++;let o=this.#p(t[s]);if(!n.lasting)this.#m(s,r,o);else if(!this.#x(s,r,o)){let a=this.#l(s-1)&&Number.isFinite(e[s]),l=this.#l(r)&&Number.isFinite(e[r-1]);a||this.#d();for(let h=s;h<r;h++)Number.isFinite(e[h])?this.#g(o,e[h]):this.#d();let c=s===this.#s&&this.piece.before!==null||r===this.#i&&this.piece.after!==null;!a&&!l&&!c&&this.#a(s,r,o)}s=r}}#l(t){return Number.isFinite(this.series.values[t])}#a(t,e,n){let{values:s}=this.series;for(let r=t;r<e;r++)Number.isFinite(s[r])&&this.drawing.dots.push(n,this.y(s[r]))}#c(){let{t,pyramid:e}=this.series,{piece:n,axis:s}=this,r=Math.max(1,Math.ceil(n.right-n.left)),o=this.#s;for(let a=0;a<r&&o<this.#i;a++){let l=a===r-1,c=n.from+(a+1)/s.scale,h=l?this.#i:Math.min(this.#i,o+Tn(t.subarray(o,this.#i),c));if(h===o)continue;let u=Math.min(n.left+a+.5,n.right);this.apart?this.#h(o,h,u):this.#u(o,h,u),o=h}e.lasting||this.#d()}#h(t,e,n){let{t:s,pyramid:r}=this.series,o=t;for(let a=$i(r.jumps,t);a<r.jumps.length;a++){let l=r.jumps[a],c=l+1;for(;c<e&&s[c]===s[l];)c++;if(c>e||l>=e||c===l+1)break;this.#u(o,l+1,n),this.#x(l,c,this.#p(s[l])),o=c-1}this.#u(o,e,n)}#u(t,e,n){let{t:s,values:r,pyramid:o}=this.series,a=o.extent(t,e),{min:l,max:c}=a,h=r[t],u=r[e-1];if(l>c){this.#d(),this.#n=null;return}if(!o.lasting){this.drawing.stems.push(n,this.y(c)),l<0&&this.drawing.stems.push(n,this.y(l));return}let d=this.#n,f=d!==null&&c-l>.5*(d.max-d.min),g=Number.isFinite(h)&&Number.isFinite(u),y=f||!g||l<Math.min(h,u)||c>Math.max(h,u),m=y&&d!==null&&d.min<=c&&l<=d.max;!Number.isFinite(h)||m?this.#d():this.#g(this.#p(s[t]),h),this.#n=y?a:null,y?(this.drawing.spans.push(n,this.y(l),this.y(c)),this.#d(),Number.isFinite(u)&&(this.#e=[this.#p(s[e-1]),u])):e-1>t&&this.#g(this.#p(s[e-1]),u)}#m(t,e,n){for(let s=t;s<e;s++){let r=this.series.values[s],o=s===this.#s&&this.piece.before!==null||s===this.#i-1&&this.piece.after!==null;Number.isFinite(r)&&!o&&this.drawing.stems.push(n,this.y(r))}}#x(t,e,n){let{values:s}=this.series,r=[],o=!1;for(let h=t;h<e;h++){let u=s[h];Number.isFinite(u)?(o||r[r.length-1]!==u)&&(o&&r.length>0&&r.push(NaN),r.push(u),o=!1):o=!0}let a=r.filter(h=>!Number.isNaN(h)).map(this.y);if(!(a.reduce((h,u)=>Math.max(h,u),-1/0)-a.reduce((h,u)=>Math.min(h,u),1/0)>=ug))return!1;this.drawing.jumps++,Number.isFinite(s[t])&&this.#g(n,s[t]),this.#d();let c=r.length<=dg?r:fg(r);return c.forEach((h,u)=>{if(Number.isNaN(h))return;this.drawing.dots.push(n,this.y(h));let d=c[u+1];d!==void 0&&!Number.isNaN(d)&&this.drawing.dotted.push(n,this.y(h),n,this.y(d))}),Number.isFinite(s[e-1])&&this.#g(n,s[e-1]),!0}#p(t){let{piece:e,axis:n}=this;return t===e.to?e.right:e.left+(t-e.from)*n.scale}#g(t,e){let{lines:n}=this.drawing;!this.#t&&n.length>0&&n.push(NaN,NaN),this.#e!==null&&n.push(this.#e[0],this.y(this.#e[1])),this.#e=null,n.push(t,this.y(e)),this.#t=!0}#d(){this.#t=!1,this.#e=null}};function fg(i){let t=i.filter(s=>!Number.isNaN(s)),e=t.reduce((s,r)=>Math.min(s,r)),n=t.reduce((s,r)=>Math.max(s,r));return[t[0],e,n,t[t.length-1]]}function pg(i,t,e,n){let{n:s,values:r,pyramid:o}=i,a=t.right-t.left;if(t.end-t.start>Rd*a){mg(i,t,e,n);return}let l=new Set,c=o.lasting&&Number.isFinite(r[t.start]),[h,u]=c?[t.left,e(r[t.start])]:[0,0];for(let d=t.start;d<t.end;d++){let f=r[d];if(!Number.isFinite(f)){c=!1;continue}let[g,y]=[Qs(t,s[d]),e(f)];o.lasting?(c&&n.dotted.push(h,u,g,u),c&&y!==u&&n.dotted.push(g,u,g,y),n.dots.push(g,y),l.add(f),c=!0):n.stems.push(g,y),[h,u]=[g,y]}c&&n.dotted.push(h,u,t.right,u),l.size>1&&n.jumps++}function mg(i,t,e,n){let s=Math.max(1,Math.floor(t.right-t.left)),r=t.end-t.start;for(let o=0;o<s;o++){let a=t.start+Math.floor(o*r/s),l=t.start+Math.floor((o+1)*r/s),{min:c,max:h}=i.pyramid.extent(a,l);c<=h&&n.spans.push(t.left+o+.5,e(c),e(h))}}var gg={add:"M7.2 2.5h1.6v4.7h4.7v1.6H8.8v4.7H7.2V8.8H2.5V7.2h4.7z",close:"M3.9 2.8 8 6.9l4.1-4.1 1.1 1.1L9.1 8l4.1 4.1-1.1 1.1L8 9.1l-4.1 4.1-1.1-1.1L6.9 8 2.8 3.9z",lock:"M8 1.5a3.2 3.2 0 0 1 3.2 3.2V7h.8a1 1 0 0 1 1 1v5.5a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1h.8V4.7A3.2 3.2 0 0 1 8 1.5zm0 1.5a1.7 1.7 0 0 0-1.7 1.7V7h3.4V4.7A1.7 1.7 0 0 0 8 3z",save:"M7.2 1.5h1.6v6.6l2.3-2.3 1.1 1.1L8 11.1 3.8 6.9l1.1-1.1 2.3 2.3zM2.5 11h1.6v2h7.8v-2h1.6v3.5h-11z"};function Io(i){return Vt("svg",{viewBox:"0 0 16 16","aria-hidden":"true"},Vt("path",{d:gg[i]}))}function Rc(i){let t=vi[i%vi.length];return Vt("svg",{viewBox:"0 0 26 10",width:26,height:10,class:"pl-sample","aria-hidden":"true"},Vt("line",{x1:1,x2:25,y1:5,y2:5,"stroke-width":2.2,class:`pl-stroke-${Co[i%Co.length]}`,"stroke-dasharray":t.length===0?void 0:t.join(" ")}))}function tr(i,t,e){let n=t-i;if(!(n>0)||!Number.isFinite(n))return{values:[],labels:[],note:""};let[s,r]=xg(n,Math.max(1,e)),o=Lo(s,r),a=[],l=Math.ceil(i/o-1e-9);if(Math.abs(l)>2**52)return{values:[],labels:[],note:""};for(let m=l;a.length<3*e&&Lo(m*s,r)<=t+1e-9*o;m++)a.push(Lo(m*s,r)+0);if(a.length<2&&e<16)return tr(i,t,2*e);let c=Math.max(Math.abs(i),Math.abs(t)),h=Math.floor(Math.log10(c))-r+1;if(h<=6&&r>=-4&&c<1e6)return{values:a,labels:a.map(m=>No(m.toFixed(Math.max(0,-r)))),note:""};if(h<=6){let m=Math.floor(Math.log10(c)),p=a.map(b=>No((b/10**m).toFixed(Math.max(0,m-r))));return{values:a,labels:p,note:`\xD710${Ld(m)}`}}let u=r+Math.ceil(Math.log10(n)-r+.5),d=Math.floor(i/10**u),f=Lo(d,u),g=a.map((m,p)=>No(String(Math.round((l+p)*s-d*10**(u-r))))),y=u<0&&u>-16?f.toFixed(-u):String(f);return{values:a,labels:g,note:`${No(y)} + \u2026 \xD710${Ld(r)}`}}function xg(i,t){let e=i/t,n=Math.floor(Math.log10(e)),s=e/10**n;return s<=1.25?[1,n]:s<=2.5?[2,n]:s<=6?[5,n]:[1,n+1]}function Lo(i,t){return t<0?i/10**-t:i*10**t}function Ld(i){return Array.from(String(i),t=>t==="-"?"\u207B":"\u2070\xB9\xB2\xB3\u2074\u2075\u2076\u2077\u2078\u2079"[Number(t)]).join("")}function No(i){return/^-0(\.0*)?$/.test(i)?i.slice(1):i.replace("-","\u2212")}var Do=8,Nd=6,Dd=18,Uo=class{element;area;undo=new ue;signals;held=null;#t;#e=C("canvas",{"aria-hidden":"true"});#n=C("div",{class:"pl-cursor",hidden:!0});#s=C("div",{class:"pl-hover",hidden:!0});#i=C("div",{class:"pl-box",hidden:!0});#r=C("div",{class:"pl-legend"});#o=C("table",{class:"dv-hidden-text"});#l;#a=[];#c=[0,1];#h=Nd;constructor(t,e,n){this.#t=t,this.signals=[...e],this.area=C("div",{class:"pl-area",tabindex:0,role:"img","aria-describedby":n},this.#e,this.#s,this.#n,this.#i),this.#l=vg("Hold the range of y","lock",a=>{this.held=a?this.#c:null,t.redraw()});let s=Pc("Choose signals of this panel","add",()=>t.pick(this,s)),r=this.#u(),o=Pc("Remove this panel","close",()=>t.remove(this));this.element=C("section",{class:"pl-panel","aria-label":"Plot"},C("header",{},this.#r,C("div",{class:"pl-tools"},s,this.#l,r,o)),this.area,this.#o),this.relist()}relist(){this.element.dataset.signals=JSON.stringify(this.signals);let t=`Plot of ${this.signals.map(qt).join(", ")||"nothing yet"}`;this.element.setAttribute("aria-label",t),this.area.hasAttribute("aria-label")||this.area.setAttribute("aria-label",t),this.#a=[];let e=this.signals.map((n,s)=>{let r=C("span",{class:"pl-value dv-num"});this.#a.push({signal:n,cell:r});let o=Pc(`Remove ${qt(n)}`,"close",()=>{this.signals.splice(this.signals.indexOf(n),1),this.signals.length===0?this.#t.remove(this):this.relist(),this.#t.redraw()});return o.classList.add("pl-drop"),C("span",{class:"pl-chip"},Rc(s),Xt(n,{class:"pl-name",title:qt(n)}),r,o)});this.#r.replaceChildren(...e.length>0?e:[C("span",{class:"dv-muted"},"No signal yet")])}shown(){return this.signals.map((t,e)=>({name:t,unit:this.#t.loaded.signal(t)?.unit??"",values:this.#t.store.get(t)?.values??null,failure:this.#t.store.failure(t),sample:()=>Rc(e)}))}hold(t){this.held=t,this.#l.setAttribute("aria-pressed",String(t!==null))}valueAt(t){let[e,n]=this.#c,s=this.area.clientHeight-Do-this.#h;return n-(t-Do)/s*(n-e)}draw(t,e,n,s,r){let[o,a]=[this.area.clientWidth,this.area.clientHeight],l=Ro(this.#e,o,a,devicePixelRatio);if(l===null)return;this.#h=r?Dd:Nd;let c={left:n,top:Do,width:t.width,height:a-Do-this.#h};this.paint(l,c,t,e,s),r&&Ec(l,c,t,e,a-Dd+4,s)}paint(t,e,n,s,r){let o=this.signals.map(p=>this.#t.store.get(p));this.#c=this.held??yg(o,n.from,n.to);let[a,l]=this.#c,c=e.height/(l-a),h=p=>e.top+Math.min(Math.max((l-p)*c,-1e5),1e5),u=o.every(p=>p===null),d=tr(a,u?a:l,Math.max(2,Math.floor(e.height/34)));Ad(t,e,n,s,d,h,r);let[f,g,y]=[0,0,!0];o.forEach((p,b)=>{if(p===null)return;let E=Pd(p,n,h);Cd(t,e,E,b,h(0),r),f+=E.jumps,g+=Id(E),y&&=E.exact});let{dataset:m}=this.element;m.jumps=String(f),m.strokes=String(g),m.drawn=o.includes(null)?"waiting":y?"exact":"reduced"}tellCursor(t){for(let{signal:e,cell:n}of this.#a){let s=this.#t.store.failure(e),r=this.#t.loaded.valueAt(e,t),o=this.#t.loaded.signal(e)?.unit??"",a=this.#t.loaded.cached(e)===null,l=s!==null?"cannot be shown":a?"\u2026":Number.isNaN(r)?"absent":`${Lt(r)} ${o}`;n.textContent!==l&&(n.textContent=l,n.title=s!==null?qt(s):a?"":`${Ot(r)} ${o}`)}}mark(t,e){for(let[n,s]of[[this.#n,t],[this.#s,e]])n.hidden=s===null,s!==null&&(n.style.transform=`translateX(${s}px)`)}outline(t){this.#i.hidden=t===null,t!==null&&Object.assign(this.#i.style,{left:`${t.left}px`,top:`${t.top}px`,width:`${t.right-t.left}px`,height:`${t.bottom-t.top}px`})}describe(t){let e=this.signals.map(o=>{let a=this.#t.store.get(o),l=a===null?null:Cc(a,t.from,t.to),c=[qt(o),l===null?"nothing":Lt(l[0]),l===null?"nothing":Lt(l[1])];return C("tr",{},...c.map(h=>C("td",{},h)))}),n=["signal","least","largest"].map(o=>C("th",{scope:"col"},o));this.#o.replaceChildren(C("caption",{},"What the plot shows"),C("tr",{},...n),...e);let s=Number(this.element.dataset.jumps??0),r=`from ${Lt(t.from)} to ${Lt(t.to)} s`;this.area.setAttribute("aria-label",`${this.signals.map(qt).join(", ")} ${r}, ${s} ${s===1?"jump":"jumps"}`)}destroy(){this.undo.run(),this.element.remove()}#u(){let t=C("details",{class:"pl-menu"}),e=n=>()=>{t.open=!1,n()};return t.append(C("summary",{"aria-label":"Save this plot",title:"Save this plot"},Io("save")),C("div",{class:"pl-choices"},te("Picture (PNG)",e(()=>this.#t.savePng(this))),te("Samples in view (CSV)",e(()=>this.#t.saveCsv(this))))),this.undo.listen(t,"focusout",n=>{n.relatedTarget instanceof Node&&t.contains(n.relatedTarget)||(t.open=!1)}),this.undo.listen(t,"keydown",n=>{n.key!=="Escape"||!t.open||(n.stopPropagation(),t.open=!1,t.querySelector("summary")?.focus())}),t}};function Pc(i,t,e){let n=te("",e,{class:"dv-quiet dv-small pl-icon","aria-label":i,title:i});return n.replaceChildren(Io(t)),n}function vg(i,t,e){let n=qn("",!1,e,{class:"dv-quiet dv-small pl-icon","aria-label":i,title:i});return n.replaceChildren(Io(t)),n}function yg(i,t,e){let[n,s]=[1/0,-1/0];for(let l of i){let c=l===null?null:Cc(l,t,e);c!==null&&(n=Math.min(n,c[0]),s=Math.max(s,c[1]))}if(n>s)return[0,1];let r=Math.max(Math.abs(n),Math.abs(s)),o=Math.max(s-n,r*1e-12),a=o>0&&s-n>=r*1e-12?.07*o:r>0?.1*r:1;return[n-a,s+a]}var _g=200,bg=0,Oo=class{element;#t=new ue;#e;#n;#s=C("div",{class:"pl-more dv-muted",hidden:!0});#i;#r;#o=[];#l=0;constructor(t,e,n){this.#i=t,this.#r=n;let s=`pl-picker-${++bg}`;this.#n=C("div",{class:"pl-list",role:"listbox",id:s,"aria-multiselectable":"true","aria-label":e}),this.#e=C("input",{type:"search",placeholder:"Search signals","aria-label":`Search signals: ${e}`,role:"combobox","aria-expanded":"true","aria-controls":s,autocomplete:"off",spellcheck:"false"}),this.element=C("div",{class:"pl-picker",role:"dialog","aria-label":e},this.#e,this.#n,this.#s),this.#t.listen(this.#e,"input",()=>this.#a()),this.#t.listen(this.element,"keydown",r=>this.#m(r)),this.#t.listen(this.element,"focusout",r=>{r.relatedTarget instanceof Node&&this.element.contains(r.relatedTarget)||this.#r.closed()}),this.#t.listen(this.#n,"pointerdown",r=>r.preventDefault()),this.#a()}focus(){this.#e.focus()}destroy(){this.#t.run(),this.element.remove()}#a(){let t=this.#e.value.toLowerCase().split(/\s+/).filter(Boolean),e=this.#i.filter(({name:s,kind:r,unit:o})=>{let a=`${s} ${r} ${o}`.toLowerCase();return t.every(l=>a.includes(l))});this.#o=e.slice(0,_g).map((s,r)=>{let o=C("div",{role:"option",id:`${this.#n.id}-${r}`,class:"pl-row","data-signal":s.name},C("span",{class:"pl-tick","aria-hidden":"true"}),Xt(s.name,{class:"pl-name",title:qt(s.name)}),C("span",{class:"dv-muted"},[s.kind==="signal"?"":s.kind,s.unit].filter(Boolean).join(", ")));return o.addEventListener("click",()=>this.#h(r)),{signal:s,row:o}}),this.#n.replaceChildren(...this.#o.map(({row:s})=>s));let n=e.length-this.#o.length;this.#s.hidden=n===0&&e.length>0,this.#s.textContent=e.length===0?"No signal has such a name":`and ${n} more: type to find them`,this.#u(0),this.#c()}#c(){for(let{signal:t,row:e}of this.#o)e.setAttribute("aria-selected",String(this.#r.chosen(t.name)))}#h(t){let e=this.#o[t];e!==void 0&&(this.#u(t),this.#r.toggle(e.signal.name),this.#c())}#u(t){this.#o[this.#l]?.row.classList.remove("pl-active"),this.#l=Math.max(0,Math.min(t,this.#o.length-1));let e=this.#o[this.#l]?.row;e?.classList.add("pl-active"),e?.scrollIntoView({block:"nearest"}),this.#e.setAttribute("aria-activedescendant",e?.id??"")}#m(t){t.stopPropagation();let n={ArrowDown:1,ArrowUp:-1,PageDown:10,PageUp:-10}[t.key];if(n!==void 0)this.#u(this.#l+n);else if(t.key==="Enter")this.#h(this.#l);else if(t.key==="Escape")this.#r.closed();else return;t.preventDefault()}};var Mg=6,Sg=5;function Ud(i,t,e,n){let{t:s}=e;if(s.length===0)return null;let r=t.at(i);if(r.n!==null)return ms(e,n,e.indexAt({t:r.t,n:r.n}),r.n);let o=h=>Math.abs(t.x(s[h])-i),a=n.nearest(r.t);if(a>=0&&o(a)<=Mg)return ms(e,n,a,null);let l=e.indexAt({t:r.t,n:1/0}),c=l<0||l+1<s.length&&o(l+1)<o(l)?l+1:l;return o(c)<=Sg?ms(e,n,c,null):l<0||l===s.length-1?null:{t:r.t,n:null,start:l,end:l+1,exact:!1}}function ms(i,t,e,n){let[s,r]=t.group(Math.max(0,e));return{t:i.t[s],n,start:s,end:r,exact:!0}}function Ic(i,t,e){let{t:n,n:s}=t;if(!i.exact)return[{first:0,last:0,value:Wi(n,e,i.start,i.t)}];let r=[];for(let o=i.start;o<i.end;o++){let a=r[r.length-1],l=e[o];a!==void 0&&Object.is(a.value,l)?r[r.length-1]={...a,last:s[o]}:r.push({first:s[o],last:s[o],value:l})}return r}var Fo=12,ko=16;function Od(i,t,e,n){let s=t.end-t.start,r=C("div",{class:"pl-when"},C("span",{class:"dv-num","data-time":Ot(t.t)},`t = ${t.exact?Ot(t.t):Lt(t.t,12)} s`),s>1&&t.exact&&C("span",{class:"dv-muted"},`${s} samples`),!t.exact&&C("span",{class:"dv-muted"},"between samples")),o=n.slice(0,ko).map(a=>wg(a,t,e));i.replaceChildren(r,C("div",{class:"pl-values"},...o.flat())),n.length>ko&&i.append(C("div",{class:"dv-muted"},`and ${n.length-ko} more signals`))}function wg(i,t,e){let n=C("span",{class:"pl-what"},i.sample(),Xt(i.name));if(i.values===null)return[n,C("span",{class:"dv-muted"},i.failure===null?"\u2026":"cannot be shown")];let s=Ic(t,e,i.values),{n:r}=t,o=r===null||s.length<2?-1:s.filter(({first:l})=>l<=r).length-1,a=s.slice(0,Fo).map((l,c)=>Tg(l,s.length>1,c===o,t.exact,i.unit));return s.length>Fo&&a.push(C("span",{class:"dv-muted"},`and ${s.length-Fo} more`)),[n,C("span",{class:"pl-readings","data-signal":i.name},...a)]}function Tg({first:i,last:t,value:e},n,s,r,o){let a=Number.isNaN(e);return C("span",{class:s?"pl-reading pl-chosen":"pl-reading"},n&&C("span",{class:"pl-n"},`n ${i===t?i:`${i}\u2013${t}`}`),C("span",{class:a?"dv-num dv-muted":"dv-num","data-value":Ot(e)},r?Ot(e):Lt(e)),o!==""&&!a&&C("span",{class:"dv-muted"},o))}function Fd(i,t,e){let n=e.slice(0,ko).map(s=>{if(s.values===null)return`${s.name} not read yet`;let r=Ic(i,t,s.values).slice(0,Fo);return`${s.name} ${r.map(o=>Lt(o.value)).join(", then ")} ${s.unit}`});return`At ${Lt(i.t,9)} s: ${n.join("; ")}`}var kd=2e4,gs=22,Lc=40;function Bd(i,t,e,n,s){let r=document.createElement("canvas"),o=n+t.width+14,a=i.area.clientHeight,l=2;[r.width,r.height]=[o*l,(gs+a+Lc)*l];let c=r.getContext("2d");if(c===null)return r;c.scale(l,l),c.fillStyle=s.panel,c.fillRect(0,0,o,gs+a+Lc),c.font=s.font,c.textBaseline="middle";let h=n;return i.shown().forEach(({name:u,unit:d},f)=>{c.strokeStyle=s.series[f%s.series.length],c.lineWidth=2,c.setLineDash([...vi[f%vi.length]]),c.beginPath(),c.moveTo(h,gs/2),c.lineTo(h+24,gs/2),c.stroke();let g=d===""?qt(u):`${qt(u)} (${d})`;c.fillStyle=s.fg,c.fillText(g,h+30,gs/2),h+=c.measureText(g).width+48}),c.setLineDash([]),c.translate(0,gs),i.paint(c,{left:n,top:8,width:t.width,height:a-14},t,e,s),Po(c,{left:n,top:a,width:t.width,height:Lc},t,e,[],s),r}function zd(i,t,e,n){let{t:s,n:r}=i,o=[["t","n",...t.map(({name:l})=>Eg(l))].join(",")+`\r
`],a=On(s,n);for(let l=Tn(s,e);l<a;l+=kd){let c="";for(let h=l;h<Math.min(l+kd,a);h++){c+=`${s[h]},${r[h]}`;for(let{values:u}of t)c+=Number.isNaN(u[h])?",":`,${u[h]}`;c+=`\r
`}o.push(c)}return new Blob(o,{type:"text/csv"})}function Eg(i){return/[",\r\n]/.test(i)?`"${i.replaceAll('"','""')}"`:i}function Nc(i,t){let e=URL.createObjectURL(i),n=document.createElement("a");n.href=e,n.download=t,n.click(),setTimeout(()=>URL.revokeObjectURL(e),1e4)}var Bo=class{jumps;lasting;#t;#e=[];constructor(t,e){this.#t=e,this.lasting=Rg(t,e),this.jumps=this.lasting?Pg(t,e):new Uint32Array(0);for(let n=Ag(e);n.min.length>0;n=Cg(n))this.#e.push(n)}extent(t,e){let n=this.#t,s=1/0,r=-1/0,o=!1,a=Math.max(0,t),l=Math.min(e,n.length);for(;a<l;){let c=-1;for(;c+1<this.#e.length&&a%(1<<4+c+1)===0&&a+(1<<4+c+1)<=l;)c++;let h=this.#e[c];if(h===void 0){let u=n[a];Number.isFinite(u)?(u<s&&(s=u),u>r&&(r=u)):o=!0,a++}else{let u=a>>>4+c;h.min[u]<s&&(s=h.min[u]),h.max[u]>r&&(r=h.max[u]),h.blank[u]===1&&(o=!0),a+=1<<4+c}}return{min:s,max:r,blank:o}}};function Ag(i){let e=i.length>>>4,n={min:new Float64Array(e),max:new Float64Array(e),blank:new Uint8Array(e)};for(let s=0;s<e;s++){let r=1/0,o=-1/0,a=s*16;for(let l=a;l<a+16;l++){let c=i[l];c-c!==0?n.blank[s]=1:(c<r&&(r=c),c>o&&(o=c))}n.min[s]=r,n.max[s]=o}return n}function Cg(i){let t=i.min.length>>>1,e={min:new Float64Array(t),max:new Float64Array(t),blank:new Uint8Array(t)};for(let n=0;n<t;n++)e.min[n]=Math.min(i.min[2*n],i.min[2*n+1]),e.max[n]=Math.max(i.max[2*n],i.max[2*n+1]),e.blank[n]=i.blank[2*n]|i.blank[2*n+1];return e}function Rg(i,t){for(let e=1;e<t.length;e++)if(i[e]!==i[e-1]&&Number.isFinite(t[e])&&Number.isFinite(t[e-1]))return!0;return!1}function Pg(i,t){let e=[];for(let n=0;n<i.length;){let s=n+1,r=t[n],o=!1;for(;s<i.length&&i[s]===i[n];s++){let a=t[s];Number.isFinite(a)&&(Number.isFinite(r)?a!==r&&(o=!0):r=a)}o&&e.push(n),n=s}return Uint32Array.from(e)}var zo=class{constructor(t,e){this.loaded=t;this.changed=e}loaded;changed;#t=new Map;#e=new Map;#n=new Set;get(t){let e=this.#t.get(t);return e!==void 0?e:(this.#n.has(t)||(this.#n.add(t),this.#s(t).catch(n=>{this.#e.set(t,n instanceof Error?n.message:String(n)),this.changed()})),null)}failure(t){return this.#e.get(t)??null}async#s(t){await this.loaded.ready;let e=await this.loaded.column(t),{t:n,n:s}=this.loaded;this.#t.set(t,{t:n,n:s,values:e,pyramid:new Bo(n,e)}),this.changed()}};var Ig=`
.pl { display: flex; flex-direction: column; flex: 1; min-height: 0; min-width: 0; position: relative; color: var(--fg); font-variant-numeric: tabular-nums; }
.pl-bar { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 6px; padding: 6px 8px 5px 12px; }
.pl-bar .pl-note { color: var(--muted); font-size: 12px; flex: 1 0 auto; max-width: 100%; text-align: right; }
.pl-bar .pl-note:empty { display: none; }
.pl-scroll { flex: 1; min-height: 0; overflow: hidden auto; display: flex; flex-direction: column; }
.pl-panel { flex: 1 0 auto; display: flex; flex-direction: column; position: relative; }
.pl-panel + .pl-panel { border-top: 1px solid color-mix(in srgb, var(--line) 60%, transparent); }
.pl-panel > header { display: flex; align-items: flex-start; gap: 6px; padding: 4px 6px 0 12px; }
.pl-legend { display: flex; flex-wrap: wrap; gap: 1px 16px; flex: 1; min-width: 0; padding-top: 3px; font-size: 12.5px; }
.pl-chip { display: inline-flex; align-items: center; gap: 6px; min-width: 0; max-width: 100%; }
.pl-chip .pl-name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; flex: none; max-width: min(28ch, 60%); }
.pl-chip .pl-value { color: var(--muted); min-width: 10ch; overflow-wrap: anywhere; }
.dv button.pl-drop, .pl button.pl-drop { min-height: 20px; padding: 0 3px; margin-left: -6px; opacity: 0; }
.pl-chip:hover .pl-drop, .pl .pl-drop:focus-visible { opacity: 1; }
@media (hover: none) { .dv button.pl-drop, .pl button.pl-drop { opacity: 0.6; } }
.pl-drop svg { width: 10px !important; height: 10px !important; }
.pl-sample { flex: none; }
.pl-sample line { fill: none; }
${Array.from({length:8},(i,t)=>`.pl-stroke-${t} { stroke: var(--c${t}, currentColor); }`).join(`
`)}
.pl-tools { display: flex; flex: none; align-items: center; }
.pl-icon svg, .pl-menu summary svg { width: 14px; height: 14px; fill: currentColor; display: block; color: var(--muted); }
.pl-menu { position: relative; }
.pl-menu summary { list-style: none; cursor: pointer; padding: 6px 7px; border-radius: 6px; }
.pl-menu summary::-webkit-details-marker { display: none; }
.pl-menu summary:hover { background: var(--raised); }
.pl-choices { position: absolute; right: 0; top: 100%; z-index: 6; display: flex; flex-direction: column; gap: 2px; padding: 4px; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; box-shadow: 0 6px 24px rgb(0 0 0 / 18%); }
.pl-choices button, .dv .pl-choices button { justify-content: flex-start; border-color: transparent; }
.pl-area { flex: 1 0 auto; min-height: 128px; position: relative; overflow: hidden; touch-action: pan-y; cursor: crosshair; user-select: none; -webkit-user-select: none; }
.pl-panel:only-of-type .pl-area { min-height: 190px; }
.pl-area:focus-visible { outline: 2px solid var(--focus); outline-offset: -2px; }
.pl-area canvas { position: absolute; inset: 0; width: 100%; height: 100%; display: block; }
.pl-cursor, .pl-hover { position: absolute; top: 0; bottom: 0; left: 0; width: 0; pointer-events: none; }
.pl-cursor { border-left: 1.5px solid var(--fg); margin-left: -0.75px; opacity: 0.75; }
.pl-hover { border-left: 1px dashed var(--muted); margin-left: -0.5px; }
.pl-box { position: absolute; border: 1px solid var(--accent); background: color-mix(in srgb, var(--accent) 14%, transparent); pointer-events: none; }
.pl-axis { position: sticky; bottom: 0; z-index: 2; height: 54px; flex: none; background: var(--panel); overflow: hidden; }
.pl-axis canvas { position: absolute; inset: 0; width: 100%; height: 100%; display: block; }
.pl-axis .pl-cursor { bottom: auto; height: 16px; }
.pl-flag { position: absolute; bottom: 2px; left: 0; font-size: 11px; line-height: 16px; padding: 0 6px; border-radius: 4px; background: var(--fg); color: var(--panel); white-space: nowrap; pointer-events: none; }
.pl-empty { margin: auto; padding: 32px 16px; text-align: center; color: var(--muted); display: flex; flex-direction: column; gap: 10px; align-items: center; }
.pl-readout { position: absolute; z-index: 5; pointer-events: none; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; box-shadow: 0 6px 24px rgb(0 0 0 / 18%); padding: 7px 10px; font-size: 12px; line-height: 1.4; max-width: min(440px, calc(100% - 16px)); max-height: 90%; overflow: hidden; top: 0; left: 0; }
.pl-when { display: flex; gap: 10px; align-items: baseline; padding-bottom: 4px; margin-bottom: 4px; border-bottom: 1px solid var(--line); }
.pl-values { display: grid; grid-template-columns: minmax(0, auto) auto; gap: 2px 14px; align-items: baseline; }
.pl-what { display: inline-flex; gap: 6px; align-items: center; min-width: 0; }
.pl-what bdi { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.pl-readings { display: flex; flex-direction: column; align-items: flex-end; }
.pl-reading { display: flex; gap: 6px; align-items: baseline; white-space: nowrap; }
.pl-reading .pl-n { color: var(--muted); font-size: 11px; }
.pl-chosen { background: var(--accent-soft); border-radius: 3px; padding: 0 3px; margin-right: -3px; }
.pl-picker { position: absolute; z-index: 7; top: 38px; right: 8px; width: min(340px, calc(100% - 16px)); max-height: min(420px, calc(100% - 50px)); min-height: 180px; display: flex; flex-direction: column; background: var(--panel); border: 1px solid var(--line); border-radius: 10px; box-shadow: 0 10px 36px rgb(0 0 0 / 22%); padding: 8px; gap: 6px; }
.pl-list { overflow: auto; flex: 1; min-height: 0; }
.pl-row { display: flex; gap: 8px; align-items: center; padding: 4px 6px; border-radius: 6px; cursor: pointer; font-size: 13px; }
.pl-row .pl-name { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.pl-row:hover, .pl-row.pl-active { background: var(--raised); }
.pl-row.pl-active { box-shadow: inset 2px 0 var(--accent); }
.pl-tick { width: 14px; height: 14px; flex: none; border: 1.5px solid var(--muted); border-radius: 3px; display: grid; place-items: center; font-size: 12px; line-height: 1; }
.pl-row[aria-selected=true] .pl-tick { background: var(--accent); border-color: var(--accent); color: var(--accent-fg); }
.pl-row[aria-selected=true] .pl-tick::after { content: "\u2713"; }
.pl-more { font-size: 12px; padding: 2px 6px; }
`,Vd=!1;function Hd(){if(Vd)return;Vd=!0;let i=new CSSStyleSheet;i.replaceSync(Ig),document.adoptedStyleSheets=[...document.adoptedStyleSheets,i]}var Vo=class{constructor(t,e){this.start=t;this.end=e;this.from=t,this.to=e>t?e:t+1}start;end;from;to;get whole(){return this.from<=this.start&&this.to>=this.end}get span(){return this.to-this.from}set(t,e){let[n,s]=[this.start,this.end>this.start?this.end:this.start+1],r=Math.max(Math.abs(t),Math.abs(e),Number.MIN_VALUE*1e30)*2**-46,o=Math.min(Math.max(e-t,r),s-n),a=t-(o-(e-t))/2;a=Math.min(Math.max(a,n),s-o);let l=o>=s-n?s:a+o;return a===this.from&&l===this.to?!1:([this.from,this.to]=[a,l],!0)}zoom(t,e){let n=Math.min(Math.max((e-this.from)/this.span,0),1),s=this.span*t,r=e-n*s;return this.set(r,r+s)}pan(t){let e=this.span,n=Math.min(Math.max(this.from+t,this.start),Math.max(this.start,this.end-e));return this.set(n,n+e)}reset(){return this.set(this.start,this.end)}};var Lg=14,Ng=480,Dc=null,Dg=0,Ho=class{loaded;store;#t;#e=new ue;#n=new Fe(()=>this.#V());#s=new Fe(()=>this.#k());#i;#r=`pl-hint-${++Dg}`;#o=C("div",{class:"pl"});#l=C("div",{class:"pl-scroll"});#a=C("div",{class:"pl-axis","aria-hidden":"true"});#c=C("canvas");#h=C("div",{class:"pl-flag",hidden:!0});#u=C("div",{class:"pl-readout",hidden:!0,role:"group","aria-label":"Values at the pointer"});#m=C("div",{class:"dv-hidden-text","aria-live":"polite"});#x=C("span",{class:"pl-note"});#p;#g;#d=[];#y=new Set;#_=null;#f;#S={values:[],labels:[],note:""};#M;#b;#v=null;#A=null;#w=null;#T=null;#E=0;constructor(t,e,n){Hd(),this.loaded=e,this.#t=n,this.store=new zo(e,()=>this.redraw());let{run:s}=e;this.#i=new Vo(s.from,s.to),this.#f=new ps(this.#i.from,this.#i.to,1);let r=Dc?.names===Gd(e)?Dc:null;r!==null&&r.start===s.from&&r.end===s.to&&this.#i.set(r.from,r.to),this.#b=r?.spread??!1,this.#g=te("Whole run",()=>this.#I(this.#i.reset()),{class:"dv-small",title:"Show the whole run (0)"});let o=te("Add plot",()=>this.#L(o),{class:"dv-small"}),a=te("Choose signals",()=>this.#L(a),{class:"dv-small dv-main"});this.#p=C("div",{class:"pl-empty",hidden:!0},"No signal is shown.",a);let l=qn("Spread microsteps",this.#b,u=>{this.#b=u,this.redraw()},{class:"dv-small",title:"Give the microsteps of each instant room side by side"}),c=C("p",{class:"dv-hidden-text",id:this.#r},"Arrows pan, plus and minus zoom, 0 shows the whole run, arrows with Shift go from sample to sample, Enter puts the cursor there.");this.#a.append(this.#c,this.#h),this.#l.append(this.#p,this.#a),this.#o.append(C("div",{class:"pl-bar"},o,l,this.#g,this.#x),this.#l,this.#u,this.#m,c),t.append(this.#o),this.#e.add(()=>this.#o.remove()),this.#M=Tc(this.#o);for(let u of r?.panels??wd(s.signals)){let d=this.#P(u);r===null&&u.every(f=>e.signal(f)?.unit==="")&&this.#y.add(d)}this.#e.add(n.subscribe(()=>this.#z())),this.#e.resize(this.#o,()=>this.redraw());let h=()=>{this.#M=Tc(this.#o),this.redraw()};document.addEventListener("themechange",h),this.#e.add(()=>document.removeEventListener("themechange",h)),e.ready.then(()=>{this.#_=new Ao(e.t),this.redraw()},u=>{this.#x.textContent=u instanceof Error?qt(u.message):"The run cannot be read."}),this.redraw()}destroy(){let{start:t,end:e,from:n,to:s}=this.#i;Dc={names:Gd(this.loaded),panels:this.#d.map(({signals:r})=>[...r]),from:n,to:s,start:t,end:e,spread:this.#b},clearTimeout(this.#E),this.#n.cancel(),this.#s.cancel(),this.#T?.view.destroy();for(let r of this.#d)r.destroy();this.#e.run()}redraw(){this.#n.ask()}remove(t){this.#T?.panel===t&&this.#R();let e=this.#d.indexOf(t);e>=0&&this.#d.splice(e,1),this.#y.delete(t),t.destroy(),this.#O(),this.redraw()}pick(t,e){let n=this.#T?.anchor===e;if(this.#R(),n)return;this.#y.delete(t);let s=new Oo(this.loaded.run.signals,"Signals of the plot",{chosen:o=>t.signals.includes(o),toggle:o=>{let a=t.signals.indexOf(o);a>=0?t.signals.splice(a,1):t.signals.push(o),t.relist(),this.redraw()},closed:()=>this.#R()});this.#T={view:s,panel:t,anchor:e},this.#o.append(s.element);let r=e.getBoundingClientRect().bottom-this.#o.getBoundingClientRect().top+4;s.element.style.top=`${Math.max(8,Math.min(r,this.#o.clientHeight-s.element.offsetHeight-8))}px`,s.focus()}savePng(t){Bd(t,this.#f,this.#S,this.#C(),this.#M).toBlob(e=>{e!==null&&Nc(e,"plot.png")}),this.redraw()}saveCsv(t){let e=t.shown().flatMap(({name:n,values:s})=>s===null?[]:[{name:n,values:s}]);Nc(zd(this.loaded,e,this.#i.from,this.#i.to),"plot.csv")}#R(){let t=this.#T;if(t===null)return;this.#T=null;let e=t.view.element.contains(document.activeElement);t.view.destroy(),t.panel.signals.length===0&&this.remove(t.panel),e&&t.anchor.isConnected&&t.anchor.focus()}#L(t){if(this.#T!==null){this.#R();return}this.pick(this.#P([]),t),this.redraw()}#P(t,e){let n=new Uo(this,t,this.#r);return e===void 0?(this.#d.push(n),this.#a.before(n.element)):(this.#d.splice(this.#d.indexOf(e)+1,0,n),e.element.after(n.element)),n.undo.resize(n.area,()=>this.redraw()),Md(n.area,()=>({left:this.#C(),width:this.#f.width}),this.#N(n),n.undo),n}#D(){for(let t of this.#y){let e=t.signals.map(o=>{let a=this.store.get(o)?.pyramid.extent(0,this.loaded.length);return a===void 0?null:{name:o,size:a.min>a.max?0:Math.max(-a.min,a.max)}}),n=e.filter(o=>o!==null);if(n.length<e.length)continue;this.#y.delete(t);let[s=[],...r]=Td(n);r.length!==0&&(t.signals.splice(0,t.signals.length,...s),t.relist(),r.reduce((o,a)=>this.#P(a,o),t))}}#N(t){let e=n=>this.#f.at(n).t;return{hover:n=>this.#U(n,t),leave:()=>this.#O(),pan:n=>this.#I(this.#i.pan(n/this.#f.scale)),zoom:(n,s)=>{let r=this.#v?.exact===!0&&Math.abs(this.#f.x(this.#v.t)-s)<=6;return this.#I(this.#i.zoom(n,r&&this.#v!==null?this.#v.t:e(s)))},box:(n,s,r,o)=>{s-n<4||o-r<4||(t.hold([t.valueAt(o),t.valueAt(r)]),this.#i.set(e(n),e(s)),this.redraw())},outline:n=>t.outline(n===null?null:{...n,left:n.left+this.#C(),right:n.right+this.#C()}),click:n=>{this.#U(n,t),this.#F()},reset:()=>{t.hold(null),this.#i.reset(),this.redraw()},walk:n=>this.#B(n,t),put:()=>this.#F(),focus:()=>this.#v===null?this.#f.width/2:this.#f.xOf({t:this.#v.t,n:this.#v.n??0})}}#I(t){return t&&this.redraw(),t}#U(t,e){if(this.#_===null)return;let n=t>=-4&&t<=this.#f.width+4;this.#v=n?Ud(Math.min(Math.max(t,0),this.#f.width),this.#f,this.loaded,this.#_):null,this.#w={x:t,panel:e},this.#s.ask()}#O(){this.#v=null,this.#w=null,this.#s.ask()}#F(){let t=this.#v;if(t===null){this.#t.set({t:(this.#i.from+this.#i.to)/2,n:0});return}let e=t.n??(t.exact?this.loaded.n[t.start]:0);this.#t.set({t:t.t,n:e})}#B(t,e){if(this.#_===null||this.loaded.length===0)return;let s=this.#v??ms(this.loaded,this.#_,this.loaded.indexAt(this.#t.moment),null),r=t===1?s.end:s.exact?s.start-1:s.start;if(r<0||r>=this.loaded.length)return;this.#v=ms(this.loaded,this.#_,r,null);let{t:o}=this.#v;(o<this.#i.from||o>this.#i.to)&&this.#I(this.#i.pan(o-(this.#i.from+this.#i.to)/2)),this.#w={x:this.#f.x(o),panel:e},this.#m.textContent=qt(Fd(this.#v,this.loaded,this.#d.flatMap(a=>a.shown()))),this.#s.ask()}#z(){let{t}=this.#t.moment,{from:e,to:n,span:s}=this.#i;if(t<e||t>n){let r=t>n&&t<n+.5*s;this.#I(this.#i.pan(t-(r?e+.1*s:e+.5*s)))}this.#s.ask()}#C(){return this.#o.clientWidth<Ng?48:62}#V(){this.#D();let{from:t,to:e}=this.#i,n=Math.max(1,this.#l.clientWidth-this.#C()-Lg),s=this.#_,r=this.#b&&s!==null?bd(t,e,n,this.loaded.t,this.loaded.n,s):null;this.#f=r??new ps(t,e,n),this.#S=tr(t,e,Math.max(2,Math.floor(this.#f.scale*(e-t)/86)));let o=this.#d[this.#d.length-1];for(let a of this.#d)a.draw(this.#f,this.#S,this.#C(),this.#M,a!==o);this.#H(s),this.#G(s,r!==null),this.#A=null,this.#k(),clearTimeout(this.#E),this.#E=window.setTimeout(()=>{for(let a of this.#d)a.describe(this.#f)},250)}#H(t){let[e,n]=[this.#a.clientWidth,this.#a.clientHeight],s=Ro(this.#c,e,n,devicePixelRatio);if(s===null)return;let{from:r,to:o}=this.#i,[a,l]=t?.within(r,o)??[0,0],h=t!==null&&l-a<=this.#f.width/8?Array.from(t.starts.subarray(a,l),u=>this.loaded.t[u]):[];Po(s,{left:this.#C(),top:16,width:this.#f.width,height:n},this.#f,this.#S,h,this.#M)}#G(t,e){let{from:n,to:s,whole:r}=this.#i;if(this.#o.dataset.from=String(n),this.#o.dataset.to=String(s),this.#o.dataset.spread=String(e),this.#g.disabled=r,this.#p.hidden=this.#d.length>0,this.#a.hidden=this.#d.length===0,t===null)return;let[o,a]=t.within(n,s),l=a-o,c=`${l} ${l===1?"instant":"instants"} with microsteps`;this.#x.textContent=this.#b&&!e&&l>0?`${c}: zoom in to spread them`:l>0?c:""}#k(){let t=this.#C(),{moment:e}=this.#t,n=a=>a>=this.#i.from&&a<=this.#i.to,s=n(e.t)?t+this.#f.xOf(e):null,r=this.#v,o=r!==null&&n(r.t)?t+(r.n===null?this.#f.x(r.t):this.#f.xOf({t:r.t,n:r.n})):null;for(let a of this.#d)a.mark(s,o),a.tellCursor(e);if(this.#h.hidden=s===null,s!==null){let a=e.n>0?`${Lt(e.t)} s, n ${e.n}`:`${Lt(e.t)} s`;this.#h.textContent!==a&&(this.#h.textContent=a);let l=this.#h.offsetWidth/2;this.#h.style.transform=`translateX(${Math.min(Math.max(s-l,2),this.#a.clientWidth-2*l-2)}px)`}this.#W(o)}#W(t){let e=this.#v,n=this.#w;if(this.#u.hidden=e===null||t===null||n===null,e===null||t===null||n===null||e===this.#A)return;this.#A=e;let s=[n.panel,...this.#d.filter(d=>d!==n.panel)];Od(this.#u,e,this.loaded,s.flatMap(d=>d.shown()));let[r,o]=[this.#u.offsetWidth,this.#u.offsetHeight],a=this.#o.getBoundingClientRect(),l=n.panel.area.getBoundingClientRect(),h=t+14+r<=a.width-4?t+14:Math.max(4,t-14-r),u=Math.max(4,Math.min(l.top-a.top+6,a.height-o-4));this.#u.style.transform=`translate(${Math.round(h)}px, ${Math.round(u)}px)`}};function Gd(i){return JSON.stringify(i.run.signals.map(({name:t})=>t))}/**
 * @license
 * Copyright 2010-2026 Three.js Authors
 * SPDX-License-Identifier: MIT
 */var Ii={LEFT:0,MIDDLE:1,RIGHT:2,ROTATE:0,DOLLY:1,PAN:2},Li={ROTATE:0,PAN:1,DOLLY_PAN:2,DOLLY_ROTATE:3},bf=0,ch=1,Mf=2;var es=1,Sf=2,Gs=3,Ni=0,Je=1,hn=2,ns=0,Ws=1,hh=2,uh=3,dh=4,wf=5;var is=100,Tf=101,Ef=102,Af=103,Cf=104,Rf=200,Pf=201,If=202,Lf=203,fh=204,ph=205,Nf=206,Df=207,Uf=208,Of=209,Ff=210,kf=211,Bf=212,zf=213,Vf=214,pa=0,ma=1,ga=2,Ls=3,xa=4,va=5,ya=6,_a=7,Xa=0,Hf=1,Gf=2,Hn=0,mh=1,gh=2,xh=3,vh=4,yh=5,_h=6,bh=7;var Mh=300,ss=301,Xs=302,$a=303,qa=304,ba=1e3,kn=1001,Ma=1002,De=1003,Wf=1004;var kr=1005;var Ye=1006,Ya=1007;var hi=1008;var tn=1009,Sh=1010,wh=1011,$s=1012,Za=1013,In=1014,_n=1015,Ln=1016,Ka=1017,Ja=1018,rs=1020,Th=35902,Eh=35899,Ah=1021,Ch=1022,Nn=1023,oi=1026,ui=1027,ja=1028,Qa=1029,Di=1030,tl=1031;var el=1033,Br=33776,zr=33777,Vr=33778,Hr=33779,nl=35840,il=35841,sl=35842,rl=35843,ol=36196,al=37492,ll=37496,cl=37488,hl=37489,Gr=37490,ul=37491,dl=37808,fl=37809,pl=37810,ml=37811,gl=37812,xl=37813,vl=37814,yl=37815,_l=37816,bl=37817,Ml=37818,Sl=37819,wl=37820,Tl=37821,El=36492,Al=36494,Cl=36495,Rl=36283,Pl=36284,Wr=36285,Il=36286;var ur=2300,Sa=2301,da=2302,nh=2303,ih=2400,sh=2401,rh=2402;var Xf=3200;var Xr=0,$f=1,di="",on="srgb",dr="srgb-linear",fr="linear",se="srgb";var fa=7680;var qf=519,Yf=512,Zf=513,Kf=514,Rh=515,Jf=516,jf=517,Ph=518,Ih=519,Qf=35044,Lh=35048;var Nh="300 es",yn=2e3,Ns=2001;function Ug(i){for(let t=i.length-1;t>=0;--t)if(i[t]>=65535)return!0;return!1}function Og(i){return ArrayBuffer.isView(i)&&!(i instanceof DataView)}function pr(i){return document.createElementNS("http://www.w3.org/1999/xhtml",i)}function tp(){let i=pr("canvas");return i.style.display="block",i}var Wd={},Ds=null;function Dh(...i){let t="THREE."+i.shift();Ds?Ds("log",t,...i):console.log(t,...i)}function ep(i){let t=i[0];if(typeof t=="string"&&t.startsWith("TSL:")){let e=i[1];e&&e.isStackTrace?i[0]+=" "+e.getLocation():i[1]='Stack trace not available. Enable "THREE.Node.captureStackTrace" to capture stack traces.'}return i}function Ct(...i){i=ep(i);let t="THREE."+i.shift();if(Ds)Ds("warn",t,...i);else{let e=i[0];e&&e.isStackTrace?console.warn(e.getError(t)):console.warn(t,...i)}}function Ut(...i){i=ep(i);let t="THREE."+i.shift();if(Ds)Ds("error",t,...i);else{let e=i[0];e&&e.isStackTrace?console.error(e.getError(t)):console.error(t,...i)}}function lr(...i){let t=i.join(" ");t in Wd||(Wd[t]=!0,Ct(...i))}function np(i,t,e){return new Promise(function(n,s){function r(){switch(i.clientWaitSync(t,i.SYNC_FLUSH_COMMANDS_BIT,0)){case i.WAIT_FAILED:s();break;case i.TIMEOUT_EXPIRED:setTimeout(r,e);break;default:n()}}setTimeout(r,e)})}var ip={[pa]:pa,[ga]:ya,[xa]:xa,[Ls]:va,[ma]:ma,[ya]:ga,[_a]:_a,[va]:Ls},Rn=class{addEventListener(t,e){this._listeners===void 0&&(this._listeners={});let n=this._listeners;n[t]===void 0&&(n[t]=[]),n[t].indexOf(e)===-1&&n[t].push(e)}hasEventListener(t,e){let n=this._listeners;return n===void 0?!1:n[t]!==void 0&&n[t].indexOf(e)!==-1}removeEventListener(t,e){let n=this._listeners;if(n===void 0)return;let s=n[t];if(s!==void 0){let r=s.indexOf(e);r!==-1&&s.splice(r,1)}}dispatchEvent(t){let e=this._listeners;if(e===void 0)return;let n=e[t.type];if(n!==void 0){t.target=this;let s=n.slice(0);for(let r=0,o=s.length;r<o;r++)s[r].call(this,t);t.target=null}}},Ve=["00","01","02","03","04","05","06","07","08","09","0a","0b","0c","0d","0e","0f","10","11","12","13","14","15","16","17","18","19","1a","1b","1c","1d","1e","1f","20","21","22","23","24","25","26","27","28","29","2a","2b","2c","2d","2e","2f","30","31","32","33","34","35","36","37","38","39","3a","3b","3c","3d","3e","3f","40","41","42","43","44","45","46","47","48","49","4a","4b","4c","4d","4e","4f","50","51","52","53","54","55","56","57","58","59","5a","5b","5c","5d","5e","5f","60","61","62","63","64","65","66","67","68","69","6a","6b","6c","6d","6e","6f","70","71","72","73","74","75","76","77","78","79","7a","7b","7c","7d","7e","7f","80","81","82","83","84","85","86","87","88","89","8a","8b","8c","8d","8e","8f","90","91","92","93","94","95","96","97","98","99","9a","9b","9c","9d","9e","9f","a0","a1","a2","a3","a4","a5","a6","a7","a8","a9","aa","ab","ac","ad","ae","af","b0","b1","b2","b3","b4","b5","b6","b7","b8","b9","ba","bb","bc","bd","be","bf","c0","c1","c2","c3","c4","c5","c6","c7","c8","c9","ca","cb","cc","cd","ce","cf","d0","d1","d2","d3","d4","d5","d6","d7","d8","d9","da","db","dc","dd","de","df","e0","e1","e2","e3","e4","e5","e6","e7","e8","e9","ea","eb","ec","ed","ee","ef","f0","f1","f2","f3","f4","f5","f6","f7","f8","f9","fa","fb","fc","fd","fe","ff"],Xd=1234567,cr=Math.PI/180,Us=180/Math.PI;function qs(){let i=Math.random()*4294967295|0,t=Math.random()*4294967295|0,e=Math.random()*4294967295|0,n=Math.random()*4294967295|0;return(Ve[i&255]+Ve[i>>8&255]+Ve[i>>16&255]+Ve[i>>24&255]+"-"+Ve[t&255]+Ve[t>>8&255]+"-"+Ve[t>>16&15|64]+Ve[t>>24&255]+"-"+Ve[e&63|128]+Ve[e>>8&255]+"-"+Ve[e>>16&255]+Ve[e>>24&255]+Ve[n&255]+Ve[n>>8&255]+Ve[n>>16&255]+Ve[n>>24&255]).toLowerCase()}function Yt(i,t,e){return Math.max(t,Math.min(e,i))}function Uh(i,t){return(i%t+t)%t}function Fg(i,t,e,n,s){return n+(i-t)*(s-n)/(e-t)}function kg(i,t,e){return i!==t?(e-i)/(t-i):0}function hr(i,t,e){return(1-e)*i+e*t}function Bg(i,t,e,n){return hr(i,t,1-Math.exp(-e*n))}function zg(i,t=1){return t-Math.abs(Uh(i,t*2)-t)}function Vg(i,t,e){return i<=t?0:i>=e?1:(i=(i-t)/(e-t),i*i*(3-2*i))}function Hg(i,t,e){return i<=t?0:i>=e?1:(i=(i-t)/(e-t),i*i*i*(i*(i*6-15)+10))}function Gg(i,t){return i+Math.floor(Math.random()*(t-i+1))}function Wg(i,t){return i+Math.random()*(t-i)}function Xg(i){return i*(.5-Math.random())}function $g(i){i!==void 0&&(Xd=i);let t=Xd+=1831565813;return t=Math.imul(t^t>>>15,t|1),t^=t+Math.imul(t^t>>>7,t|61),((t^t>>>14)>>>0)/4294967296}function qg(i){return i*cr}function Yg(i){return i*Us}function Zg(i){return i>0&&Number.isInteger(i)&&2**Math.round(Math.log2(i))===i}function Kg(i){return Math.pow(2,Math.ceil(Math.log(i)/Math.LN2))}function Oh(i){return Math.pow(2,Math.floor(Math.log(i)/Math.LN2))}function Jg(i,t,e,n,s){let r=Math.cos,o=Math.sin,a=r(e/2),l=o(e/2),c=r((t+n)/2),h=o((t+n)/2),u=r((t-n)/2),d=o((t-n)/2),f=r((n-t)/2),g=o((n-t)/2);switch(s){case"XYX":i.set(a*h,l*u,l*d,a*c);break;case"YZY":i.set(l*d,a*h,l*u,a*c);break;case"ZXZ":i.set(l*u,l*d,a*h,a*c);break;case"XZX":i.set(a*h,l*g,l*f,a*c);break;case"YXY":i.set(l*f,a*h,l*g,a*c);break;case"ZYZ":i.set(l*g,l*f,a*h,a*c);break;default:Ct("MathUtils: .setQuaternionFromProperEuler() encountered an unknown order: "+s)}}function Fh(i){switch(i.constructor){case Uint32Array:return 4294967295;case Uint16Array:return 65535;case Uint8Array:case Uint8ClampedArray:return 255;case Int32Array:return 2147483647;case Int16Array:return 32767;case Int8Array:return 127;default:return}}function sp(i,t){if(t.constructor===Float32Array)return i;let e=Fh(t);if(e===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.max(i/e,-1)}function rp(i,t){if(t.constructor===Float32Array)return i;let e=Fh(t);if(e===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.round(i*e)}var kh={DEG2RAD:cr,RAD2DEG:Us,generateUUID:qs,clamp:Yt,euclideanModulo:Uh,mapLinear:Fg,inverseLerp:kg,lerp:hr,damp:Bg,pingpong:zg,smoothstep:Vg,smootherstep:Hg,randInt:Gg,randFloat:Wg,randFloatSpread:Xg,seededRandom:$g,degToRad:qg,radToDeg:Yg,isPowerOfTwo:Zg,ceilPowerOfTwo:Kg,floorPowerOfTwo:Oh,setQuaternionFromProperEuler:Jg,normalize:rp,denormalize:sp},Nt=class{static{this.prototype.isVector2=!0}constructor(t=0,e=0){this.x=t,this.y=e}get width(){return this.x}set width(t){this.x=t}get height(){return this.y}set height(t){this.y=t}set(t,e){return this.x=t,this.y=e,this}setScalar(t){return this.x=t,this.y=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;default:throw new Error("THREE.Vector2: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;default:throw new Error("THREE.Vector2: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y)}copy(t){return this.x=t.x,this.y=t.y,this}add(t){return this.x+=t.x,this.y+=t.y,this}addScalar(t){return this.x+=t,this.y+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this}subScalar(t){return this.x-=t,this.y-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this}multiply(t){return this.x*=t.x,this.y*=t.y,this}multiplyScalar(t){return this.x*=t,this.y*=t,this}divide(t){return this.x/=t.x,this.y/=t.y,this}divideScalar(t){return this.multiplyScalar(1/t)}applyMatrix3(t){let e=this.x,n=this.y,s=t.elements;return this.x=s[0]*e+s[3]*n+s[6],this.y=s[1]*e+s[4]*n+s[7],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this}clamp(t,e){return this.x=Yt(this.x,t.x,e.x),this.y=Yt(this.y,t.y,e.y),this}clampScalar(t,e){return this.x=Yt(this.x,t,e),this.y=Yt(this.y,t,e),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(Yt(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this}negate(){return this.x=-this.x,this.y=-this.y,this}dot(t){return this.x*t.x+this.y*t.y}cross(t){return this.x*t.y-this.y*t.x}lengthSq(){return this.x*this.x+this.y*this.y}length(){return Math.sqrt(this.x*this.x+this.y*this.y)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)}normalize(){return this.divideScalar(this.length()||1)}angle(){return Math.atan2(-this.y,-this.x)+Math.PI}angleTo(t){let e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;let n=this.dot(t)/e;return Math.acos(Yt(n,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){let e=this.x-t.x,n=this.y-t.y;return e*e+n*n}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this}equals(t){return t.x===this.x&&t.y===this.y}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this}rotateAround(t,e){let n=Math.cos(e),s=Math.sin(e),r=this.x-t.x,o=this.y-t.y;return this.x=r*n-o*s+t.x,this.y=r*s+o*n+t.y,this}random(){return this.x=Math.random(),this.y=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y}},ye=class{constructor(t=0,e=0,n=0,s=1){this.isQuaternion=!0,this._x=t,this._y=e,this._z=n,this._w=s}static slerpFlat(t,e,n,s,r,o,a){let l=n[s+0],c=n[s+1],h=n[s+2],u=n[s+3],d=r[o+0],f=r[o+1],g=r[o+2],y=r[o+3];if(u!==y||l!==d||c!==f||h!==g){let m=l*d+c*f+h*g+u*y;m<0&&(d=-d,f=-f,g=-g,y=-y,m=-m);let p=1-a;if(m<.9995){let b=Math.acos(m),E=Math.sin(b);p=Math.sin(p*b)/E,a=Math.sin(a*b)/E,l=l*p+d*a,c=c*p+f*a,h=h*p+g*a,u=u*p+y*a}else{l=l*p+d*a,c=c*p+f*a,h=h*p+g*a,u=u*p+y*a;let b=1/Math.sqrt(l*l+c*c+h*h+u*u);l*=b,c*=b,h*=b,u*=b}}t[e]=l,t[e+1]=c,t[e+2]=h,t[e+3]=u}static multiplyQuaternionsFlat(t,e,n,s,r,o){let a=n[s],l=n[s+1],c=n[s+2],h=n[s+3],u=r[o],d=r[o+1],f=r[o+2],g=r[o+3];return t[e]=a*g+h*u+l*f-c*d,t[e+1]=l*g+h*d+c*u-a*f,t[e+2]=c*g+h*f+a*d-l*u,t[e+3]=h*g-a*u-l*d-c*f,t}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get w(){return this._w}set w(t){this._w=t,this._onChangeCallback()}set(t,e,n,s){return this._x=t,this._y=e,this._z=n,this._w=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._w)}copy(t){return this._x=t.x,this._y=t.y,this._z=t.z,this._w=t.w,this._onChangeCallback(),this}setFromEuler(t,e=!0){let n=t._x,s=t._y,r=t._z,o=t._order,a=Math.cos,l=Math.sin,c=a(n/2),h=a(s/2),u=a(r/2),d=l(n/2),f=l(s/2),g=l(r/2);switch(o){case"XYZ":this._x=d*h*u+c*f*g,this._y=c*f*u-d*h*g,this._z=c*h*g+d*f*u,this._w=c*h*u-d*f*g;break;case"YXZ":this._x=d*h*u+c*f*g,this._y=c*f*u-d*h*g,this._z=c*h*g-d*f*u,this._w=c*h*u+d*f*g;break;case"ZXY":this._x=d*h*u-c*f*g,this._y=c*f*u+d*h*g,this._z=c*h*g+d*f*u,this._w=c*h*u-d*f*g;break;case"ZYX":this._x=d*h*u-c*f*g,this._y=c*f*u+d*h*g,this._z=c*h*g-d*f*u,this._w=c*h*u+d*f*g;break;case"YZX":this._x=d*h*u+c*f*g,this._y=c*f*u+d*h*g,this._z=c*h*g-d*f*u,this._w=c*h*u-d*f*g;break;case"XZY":this._x=d*h*u-c*f*g,this._y=c*f*u-d*h*g,this._z=c*h*g+d*f*u,this._w=c*h*u+d*f*g;break;default:Ct("Quaternion: .setFromEuler() encountered an unknown order: "+o)}return e===!0&&this._onChangeCallback(),this}setFromAxisAngle(t,e){let n=e/2,s=Math.sin(n);return this._x=t.x*s,this._y=t.y*s,this._z=t.z*s,this._w=Math.cos(n),this._onChangeCallback(),this}setFromRotationMatrix(t){let e=t.elements,n=e[0],s=e[4],r=e[8],o=e[1],a=e[5],l=e[9],c=e[2],h=e[6],u=e[10],d=n+a+u;if(d>0){let f=.5/Math.sqrt(d+1);this._w=.25/f,this._x=(h-l)*f,this._y=(r-c)*f,this._z=(o-s)*f}else if(n>a&&n>u){let f=2*Math.sqrt(1+n-a-u);this._w=(h-l)/f,this._x=.25*f,this._y=(s+o)/f,this._z=(r+c)/f}else if(a>u){let f=2*Math.sqrt(1+a-n-u);this._w=(r-c)/f,this._x=(s+o)/f,this._y=.25*f,this._z=(l+h)/f}else{let f=2*Math.sqrt(1+u-n-a);this._w=(o-s)/f,this._x=(r+c)/f,this._y=(l+h)/f,this._z=.25*f}return this._onChangeCallback(),this}setFromUnitVectors(t,e){let n=t.dot(e)+1;return n<1e-8?(n=0,Math.abs(t.x)>Math.abs(t.z)?(this._x=-t.y,this._y=t.x,this._z=0,this._w=n):(this._x=0,this._y=-t.z,this._z=t.y,this._w=n)):(this._x=t.y*e.z-t.z*e.y,this._y=t.z*e.x-t.x*e.z,this._z=t.x*e.y-t.y*e.x,this._w=n),this.normalize()}angleTo(t){return 2*Math.acos(Math.abs(Yt(this.dot(t),-1,1)))}rotateTowards(t,e){let n=this.angleTo(t);if(n===0)return this;let s=Math.min(1,e/n);return this.slerp(t,s),this}identity(){return this.set(0,0,0,1)}invert(){return this.conjugate()}conjugate(){return this._x*=-1,this._y*=-1,this._z*=-1,this._onChangeCallback(),this}dot(t){return this._x*t._x+this._y*t._y+this._z*t._z+this._w*t._w}lengthSq(){return this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w}length(){return Math.sqrt(this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w)}normalize(){let t=this.length();return t===0?(this._x=0,this._y=0,this._z=0,this._w=1):(t=1/t,this._x=this._x*t,this._y=this._y*t,this._z=this._z*t,this._w=this._w*t),this._onChangeCallback(),this}multiply(t){return this.multiplyQuaternions(this,t)}premultiply(t){return this.multiplyQuaternions(t,this)}multiplyQuaternions(t,e){let n=t._x,s=t._y,r=t._z,o=t._w,a=e._x,l=e._y,c=e._z,h=e._w;return this._x=n*h+o*a+s*c-r*l,this._y=s*h+o*l+r*a-n*c,this._z=r*h+o*c+n*l-s*a,this._w=o*h-n*a-s*l-r*c,this._onChangeCallback(),this}slerp(t,e){let n=t._x,s=t._y,r=t._z,o=t._w,a=this.dot(t);a<0&&(n=-n,s=-s,r=-r,o=-o,a=-a);let l=1-e;if(a<.9995){let c=Math.acos(a),h=Math.sin(c);l=Math.sin(l*c)/h,e=Math.sin(e*c)/h,this._x=this._x*l+n*e,this._y=this._y*l+s*e,this._z=this._z*l+r*e,this._w=this._w*l+o*e,this._onChangeCallback()}else this._x=this._x*l+n*e,this._y=this._y*l+s*e,this._z=this._z*l+r*e,this._w=this._w*l+o*e,this.normalize();return this}slerpQuaternions(t,e,n){return this.copy(t).slerp(e,n)}random(){let t=2*Math.PI*Math.random(),e=2*Math.PI*Math.random(),n=Math.random(),s=Math.sqrt(1-n),r=Math.sqrt(n);return this.set(s*Math.sin(t),s*Math.cos(t),r*Math.sin(e),r*Math.cos(e))}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._w===this._w}fromArray(t,e=0){return this._x=t[e],this._y=t[e+1],this._z=t[e+2],this._w=t[e+3],this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._w,t}fromBufferAttribute(t,e){return this._x=t.getX(e),this._y=t.getY(e),this._z=t.getZ(e),this._w=t.getW(e),this._onChangeCallback(),this}toJSON(){return this.toArray()}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._w}},I=class{static{this.prototype.isVector3=!0}constructor(t=0,e=0,n=0){this.x=t,this.y=e,this.z=n}set(t,e,n){return n===void 0&&(n=this.z),this.x=t,this.y=e,this.z=n,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;default:throw new Error("THREE.Vector3: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;default:throw new Error("THREE.Vector3: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this}multiplyVectors(t,e){return this.x=t.x*e.x,this.y=t.y*e.y,this.z=t.z*e.z,this}applyEuler(t){return this.applyQuaternion($d.setFromEuler(t))}applyAxisAngle(t,e){return this.applyQuaternion($d.setFromAxisAngle(t,e))}applyMatrix3(t){let e=this.x,n=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[3]*n+r[6]*s,this.y=r[1]*e+r[4]*n+r[7]*s,this.z=r[2]*e+r[5]*n+r[8]*s,this}applyNormalMatrix(t){return this.applyMatrix3(t).normalize()}applyMatrix4(t){let e=this.x,n=this.y,s=this.z,r=t.elements,o=1/(r[3]*e+r[7]*n+r[11]*s+r[15]);return this.x=(r[0]*e+r[4]*n+r[8]*s+r[12])*o,this.y=(r[1]*e+r[5]*n+r[9]*s+r[13])*o,this.z=(r[2]*e+r[6]*n+r[10]*s+r[14])*o,this}applyQuaternion(t){let e=this.x,n=this.y,s=this.z,r=t.x,o=t.y,a=t.z,l=t.w,c=2*(o*s-a*n),h=2*(a*e-r*s),u=2*(r*n-o*e);return this.x=e+l*c+o*u-a*h,this.y=n+l*h+a*c-r*u,this.z=s+l*u+r*h-o*c,this}project(t){return this.applyMatrix4(t.matrixWorldInverse).applyMatrix4(t.projectionMatrix)}unproject(t){return this.applyMatrix4(t.projectionMatrixInverse).applyMatrix4(t.matrixWorld)}transformDirection(t){let e=this.x,n=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[4]*n+r[8]*s,this.y=r[1]*e+r[5]*n+r[9]*s,this.z=r[2]*e+r[6]*n+r[10]*s,this.normalize()}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this}divideScalar(t){return this.multiplyScalar(1/t)}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this}clamp(t,e){return this.x=Yt(this.x,t.x,e.x),this.y=Yt(this.y,t.y,e.y),this.z=Yt(this.z,t.z,e.z),this}clampScalar(t,e){return this.x=Yt(this.x,t,e),this.y=Yt(this.y,t,e),this.z=Yt(this.z,t,e),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(Yt(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this.z=t.z+(e.z-t.z)*n,this}cross(t){return this.crossVectors(this,t)}crossVectors(t,e){let n=t.x,s=t.y,r=t.z,o=e.x,a=e.y,l=e.z;return this.x=s*l-r*a,this.y=r*o-n*l,this.z=n*a-s*o,this}projectOnVector(t){let e=t.lengthSq();if(e===0)return this.set(0,0,0);let n=t.dot(this)/e;return this.copy(t).multiplyScalar(n)}projectOnPlane(t){return Uc.copy(this).projectOnVector(t),this.sub(Uc)}reflect(t){return this.sub(Uc.copy(t).multiplyScalar(2*this.dot(t)))}angleTo(t){let e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;let n=this.dot(t)/e;return Math.acos(Yt(n,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){let e=this.x-t.x,n=this.y-t.y,s=this.z-t.z;return e*e+n*n+s*s}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)+Math.abs(this.z-t.z)}setFromSpherical(t){return this.setFromSphericalCoords(t.radius,t.phi,t.theta)}setFromSphericalCoords(t,e,n){let s=Math.sin(e)*t;return this.x=s*Math.sin(n),this.y=Math.cos(e)*t,this.z=s*Math.cos(n),this}setFromCylindrical(t){return this.setFromCylindricalCoords(t.radius,t.theta,t.y)}setFromCylindricalCoords(t,e,n){return this.x=t*Math.sin(e),this.y=n,this.z=t*Math.cos(e),this}setFromMatrixPosition(t){let e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this}setFromMatrixScale(t){let e=this.setFromMatrixColumn(t,0).length(),n=this.setFromMatrixColumn(t,1).length(),s=this.setFromMatrixColumn(t,2).length();return this.x=e,this.y=n,this.z=s,this}setFromMatrixColumn(t,e){return this.fromArray(t.elements,e*4)}setFromMatrix3Column(t,e){return this.fromArray(t.elements,e*3)}setFromEuler(t){return this.x=t._x,this.y=t._y,this.z=t._z,this}setFromColor(t){return this.x=t.r,this.y=t.g,this.z=t.b,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this}randomDirection(){let t=Math.random()*Math.PI*2,e=Math.random()*2-1,n=Math.sqrt(1-e*e);return this.x=n*Math.cos(t),this.y=e,this.z=n*Math.sin(t),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z}},Uc=new I,$d=new ye,Ft=class{static{this.prototype.isMatrix3=!0}constructor(t,e,n,s,r,o,a,l,c){this.elements=[1,0,0,0,1,0,0,0,1],t!==void 0&&this.set(t,e,n,s,r,o,a,l,c)}set(t,e,n,s,r,o,a,l,c){let h=this.elements;return h[0]=t,h[1]=s,h[2]=a,h[3]=e,h[4]=r,h[5]=l,h[6]=n,h[7]=o,h[8]=c,this}identity(){return this.set(1,0,0,0,1,0,0,0,1),this}copy(t){let e=this.elements,n=t.elements;return e[0]=n[0],e[1]=n[1],e[2]=n[2],e[3]=n[3],e[4]=n[4],e[5]=n[5],e[6]=n[6],e[7]=n[7],e[8]=n[8],this}extractBasis(t,e,n){return t.setFromMatrix3Column(this,0),e.setFromMatrix3Column(this,1),n.setFromMatrix3Column(this,2),this}setFromMatrix4(t){let e=t.elements;return this.set(e[0],e[4],e[8],e[1],e[5],e[9],e[2],e[6],e[10]),this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){let n=t.elements,s=e.elements,r=this.elements,o=n[0],a=n[3],l=n[6],c=n[1],h=n[4],u=n[7],d=n[2],f=n[5],g=n[8],y=s[0],m=s[3],p=s[6],b=s[1],E=s[4],S=s[7],A=s[2],T=s[5],x=s[8];return r[0]=o*y+a*b+l*A,r[3]=o*m+a*E+l*T,r[6]=o*p+a*S+l*x,r[1]=c*y+h*b+u*A,r[4]=c*m+h*E+u*T,r[7]=c*p+h*S+u*x,r[2]=d*y+f*b+g*A,r[5]=d*m+f*E+g*T,r[8]=d*p+f*S+g*x,this}multiplyScalar(t){let e=this.elements;return e[0]*=t,e[3]*=t,e[6]*=t,e[1]*=t,e[4]*=t,e[7]*=t,e[2]*=t,e[5]*=t,e[8]*=t,this}determinant(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8];return e*o*h-e*a*c-n*r*h+n*a*l+s*r*c-s*o*l}invert(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8],u=h*o-a*c,d=a*l-h*r,f=c*r-o*l,g=e*u+n*d+s*f;if(g===0)return this.set(0,0,0,0,0,0,0,0,0);let y=1/g;return t[0]=u*y,t[1]=(s*c-h*n)*y,t[2]=(a*n-s*o)*y,t[3]=d*y,t[4]=(h*e-s*l)*y,t[5]=(s*r-a*e)*y,t[6]=f*y,t[7]=(n*l-c*e)*y,t[8]=(o*e-n*r)*y,this}transpose(){let t,e=this.elements;return t=e[1],e[1]=e[3],e[3]=t,t=e[2],e[2]=e[6],e[6]=t,t=e[5],e[5]=e[7],e[7]=t,this}getNormalMatrix(t){return this.setFromMatrix4(t).invert().transpose()}transposeIntoArray(t){let e=this.elements;return t[0]=e[0],t[1]=e[3],t[2]=e[6],t[3]=e[1],t[4]=e[4],t[5]=e[7],t[6]=e[2],t[7]=e[5],t[8]=e[8],this}setUvTransform(t,e,n,s,r,o,a){let l=Math.cos(r),c=Math.sin(r);return this.set(n*l,n*c,-n*(l*o+c*a)+o+t,-s*c,s*l,-s*(-c*o+l*a)+a+e,0,0,1),this}scale(t,e){return lr("Matrix3: .scale() is deprecated. Use .makeScale() instead."),this.premultiply(Oc.makeScale(t,e)),this}rotate(t){return lr("Matrix3: .rotate() is deprecated. Use .makeRotation() instead."),this.premultiply(Oc.makeRotation(-t)),this}translate(t,e){return lr("Matrix3: .translate() is deprecated. Use .makeTranslation() instead."),this.premultiply(Oc.makeTranslation(t,e)),this}makeTranslation(t,e){return t.isVector2?this.set(1,0,t.x,0,1,t.y,0,0,1):this.set(1,0,t,0,1,e,0,0,1),this}makeRotation(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,-n,0,n,e,0,0,0,1),this}makeScale(t,e){return this.set(t,0,0,0,e,0,0,0,1),this}equals(t){let e=this.elements,n=t.elements;for(let s=0;s<9;s++)if(e[s]!==n[s])return!1;return!0}fromArray(t,e=0){for(let n=0;n<9;n++)this.elements[n]=t[n+e];return this}toArray(t=[],e=0){let n=this.elements;return t[e]=n[0],t[e+1]=n[1],t[e+2]=n[2],t[e+3]=n[3],t[e+4]=n[4],t[e+5]=n[5],t[e+6]=n[6],t[e+7]=n[7],t[e+8]=n[8],t}clone(){return new this.constructor().fromArray(this.elements)}},Oc=new Ft,qd=new Ft().set(.4123908,.3575843,.1804808,.212639,.7151687,.0721923,.0193308,.1191948,.9505322),Yd=new Ft().set(3.2409699,-1.5373832,-.4986108,-.9692436,1.8759675,.0415551,.0556301,-.203977,1.0569715);function jg(){let i={enabled:!0,workingColorSpace:dr,spaces:{},convert:function(s,r,o){return this.enabled===!1||r===o||!r||!o||(this.spaces[r].transfer===se&&(s.r=ri(s.r),s.g=ri(s.g),s.b=ri(s.b)),this.spaces[r].primaries!==this.spaces[o].primaries&&(s.applyMatrix3(this.spaces[r].toXYZ),s.applyMatrix3(this.spaces[o].fromXYZ)),this.spaces[o].transfer===se&&(s.r=Is(s.r),s.g=Is(s.g),s.b=Is(s.b))),s},workingToColorSpace:function(s,r){return this.convert(s,this.workingColorSpace,r)},colorSpaceToWorking:function(s,r){return this.convert(s,r,this.workingColorSpace)},getPrimaries:function(s){return this.spaces[s].primaries},getTransfer:function(s){return s===di?fr:this.spaces[s].transfer},getToneMappingMode:function(s){return this.spaces[s].outputColorSpaceConfig.toneMappingMode||"standard"},getLuminanceCoefficients:function(s,r=this.workingColorSpace){return s.fromArray(this.spaces[r].luminanceCoefficients)},define:function(s){Object.assign(this.spaces,s)},_getMatrix:function(s,r,o){return s.copy(this.spaces[o].fromXYZ).multiply(this.spaces[r].toXYZ)},_getDrawingBufferColorSpace:function(s){return this.spaces[s].outputColorSpaceConfig.drawingBufferColorSpace},_getUnpackColorSpace:function(s=this.workingColorSpace){return this.spaces[s].workingColorSpaceConfig.unpackColorSpace}},t=[.64,.33,.3,.6,.15,.06],e=[.2126,.7152,.0722],n=[.3127,.329];return i.define({[dr]:{primaries:t,whitePoint:n,transfer:fr,toXYZ:qd,fromXYZ:Yd,luminanceCoefficients:e,workingColorSpaceConfig:{unpackColorSpace:on},outputColorSpaceConfig:{drawingBufferColorSpace:on}},[on]:{primaries:t,whitePoint:n,transfer:se,toXYZ:qd,fromXYZ:Yd,luminanceCoefficients:e,outputColorSpaceConfig:{drawingBufferColorSpace:on}}}),i}var Qt=jg();function ri(i){return i<.04045?i*.0773993808:Math.pow(i*.9478672986+.0521327014,2.4)}function Is(i){return i<.0031308?i*12.92:1.055*Math.pow(i,.41666)-.055}var xs,wa=class{static getDataURL(t,e="image/png"){if(/^data:/i.test(t.src)||typeof HTMLCanvasElement>"u")return t.src;let n;if(t instanceof HTMLCanvasElement)n=t;else{xs===void 0&&(xs=pr("canvas")),xs.width=t.width,xs.height=t.height;let s=xs.getContext("2d");t instanceof ImageData?s.putImageData(t,0,0):s.drawImage(t,0,0,t.width,t.height),n=xs}return n.toDataURL(e)}static sRGBToLinear(t){if(typeof HTMLImageElement<"u"&&t instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&t instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&t instanceof ImageBitmap){let e=pr("canvas");e.width=t.width,e.height=t.height;let n=e.getContext("2d");n.drawImage(t,0,0,t.width,t.height);let s=n.getImageData(0,0,t.width,t.height),r=s.data;for(let o=0;o<r.length;o++)r[o]=ri(r[o]/255)*255;return n.putImageData(s,0,0),e}else if(t.data){let e=t.data.slice(0);for(let n=0;n<e.length;n++)e instanceof Uint8Array||e instanceof Uint8ClampedArray?e[n]=Math.floor(ri(e[n]/255)*255):e[n]=ri(e[n]);return{data:e,width:t.width,height:t.height}}else return Ct("ImageUtils.sRGBToLinear(): Unsupported image type. No color space conversion applied."),t}},Qg=0,Os=class{constructor(t=null){this.isTextureSource=!0,Object.defineProperty(this,"id",{value:Qg++}),this.uuid=qs(),this.data=t,this.dataReady=!0,this.version=0}getSize(t){let e=this.data;return typeof HTMLVideoElement<"u"&&e instanceof HTMLVideoElement?t.set(e.videoWidth,e.videoHeight,0):typeof VideoFrame<"u"&&e instanceof VideoFrame?t.set(e.displayWidth,e.displayHeight,0):e!==null?t.set(e.width||0,e.height||0,e.depth||0):t.set(0,0,0),t}set needsUpdate(t){t===!0&&this.version++}toJSON(t){let e=t===void 0||typeof t=="string";if(!e&&t.images[this.uuid]!==void 0)return t.images[this.uuid];let n={uuid:this.uuid,url:""},s=this.data;if(s!==null){let r;if(Array.isArray(s)){r=[];for(let o=0,a=s.length;o<a;o++)s[o].isDataTexture?r.push(Fc(s[o].image)):r.push(Fc(s[o]))}else r=Fc(s);n.url=r}return e||(t.images[this.uuid]=n),n}};function Fc(i){return typeof HTMLImageElement<"u"&&i instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&i instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&i instanceof ImageBitmap?wa.getDataURL(i):i.data?{data:Array.from(i.data),width:i.width,height:i.height,type:i.data.constructor.name}:(Ct("Texture: Unable to serialize Texture."),{})}var t0=0,kc=new I,Qe=class i extends Rn{constructor(t=i.DEFAULT_IMAGE,e=i.DEFAULT_MAPPING,n=kn,s=kn,r=Ye,o=hi,a=Nn,l=tn,c=i.DEFAULT_ANISOTROPY,h=di){super(),this.isTexture=!0,Object.defineProperty(this,"id",{value:t0++}),this.uuid=qs(),this.name="",this.source=new Os(t),this.mipmaps=[],this.mapping=e,this.channel=0,this.wrapS=n,this.wrapT=s,this.magFilter=r,this.minFilter=o,this.anisotropy=c,this.format=a,this.internalFormat=null,this.type=l,this.offset=new Nt(0,0),this.repeat=new Nt(1,1),this.center=new Nt(0,0),this.rotation=0,this.matrixAutoUpdate=!0,this.matrix=new Ft,this.generateMipmaps=!0,this.mipmapsAutoUpdate=!0,this.premultiplyAlpha=!1,this.flipY=!0,this.unpackAlignment=4,this.colorSpace=h,this.userData={},this.updateRanges=[],this.version=0,this.onUpdate=null,this.renderTarget=null,this.isRenderTargetTexture=!1,this.isArrayTexture=!!(t&&t.depth&&t.depth>1),this.pmremVersion=0,this.isPMREMTexture=!1,this.normalized=!1}get width(){return this.source.getSize(kc).x}get height(){return this.source.getSize(kc).y}get depth(){return this.source.getSize(kc).z}get image(){return this.source.data}set image(t){this.source.data=t}updateMatrix(){this.matrix.setUvTransform(this.offset.x,this.offset.y,this.repeat.x,this.repeat.y,this.rotation,this.center.x,this.center.y)}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}clone(){return new this.constructor().copy(this)}copy(t){return this.name=t.name,this.source=t.source,this.mipmaps=t.mipmaps.slice(0),this.mapping=t.mapping,this.channel=t.channel,this.wrapS=t.wrapS,this.wrapT=t.wrapT,this.magFilter=t.magFilter,this.minFilter=t.minFilter,this.anisotropy=t.anisotropy,this.format=t.format,this.internalFormat=t.internalFormat,this.type=t.type,this.normalized=t.normalized,this.offset.copy(t.offset),this.repeat.copy(t.repeat),this.center.copy(t.center),this.rotation=t.rotation,this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrix.copy(t.matrix),this.generateMipmaps=t.generateMipmaps,this.mipmapsAutoUpdate=t.mipmapsAutoUpdate,this.premultiplyAlpha=t.premultiplyAlpha,this.flipY=t.flipY,this.unpackAlignment=t.unpackAlignment,this.colorSpace=t.colorSpace,this.renderTarget=t.renderTarget,this.isRenderTargetTexture=t.isRenderTargetTexture,this.isPMREMTexture=t.isPMREMTexture,this.isArrayTexture=t.isArrayTexture,this.userData=JSON.parse(JSON.stringify(t.userData)),this.needsUpdate=!0,this}setValues(t){for(let e in t){let n=t[e];if(n===void 0){Ct(`Texture.setValues(): parameter '${e}' has value of undefined.`);continue}let s=this[e];if(s===void 0){Ct(`Texture.setValues(): property '${e}' does not exist.`);continue}s&&n&&s.isVector2&&n.isVector2||s&&n&&s.isVector3&&n.isVector3||s&&n&&s.isMatrix3&&n.isMatrix3?s.copy(n):this[e]=n}}toJSON(t){let e=t===void 0||typeof t=="string";if(!e&&t.textures[this.uuid]!==void 0)return t.textures[this.uuid];let n={metadata:{version:4.7,type:"Texture",generator:"Texture.toJSON"},uuid:this.uuid,name:this.name,image:this.source.toJSON(t).uuid,mapping:this.mapping,channel:this.channel,repeat:[this.repeat.x,this.repeat.y],offset:[this.offset.x,this.offset.y],center:[this.center.x,this.center.y],rotation:this.rotation,wrap:[this.wrapS,this.wrapT],format:this.format,internalFormat:this.internalFormat,type:this.type,normalized:this.normalized,colorSpace:this.colorSpace,minFilter:this.minFilter,magFilter:this.magFilter,anisotropy:this.anisotropy,flipY:this.flipY,generateMipmaps:this.generateMipmaps,mipmapsAutoUpdate:this.mipmapsAutoUpdate,premultiplyAlpha:this.premultiplyAlpha,unpackAlignment:this.unpackAlignment};return Object.keys(this.userData).length>0&&(n.userData=this.userData),e||(t.textures[this.uuid]=n),n}dispose(){this.dispatchEvent({type:"dispose"})}transformUv(t){if(this.mapping!==Mh)return t;if(t.applyMatrix3(this.matrix),t.x<0||t.x>1)switch(this.wrapS){case ba:t.x=t.x-Math.floor(t.x);break;case kn:t.x=t.x<0?0:1;break;case Ma:Math.abs(Math.floor(t.x)%2)===1?t.x=Math.ceil(t.x)-t.x:t.x=t.x-Math.floor(t.x);break}if(t.y<0||t.y>1)switch(this.wrapT){case ba:t.y=t.y-Math.floor(t.y);break;case kn:t.y=t.y<0?0:1;break;case Ma:Math.abs(Math.floor(t.y)%2)===1?t.y=Math.ceil(t.y)-t.y:t.y=t.y-Math.floor(t.y);break}return this.flipY&&(t.y=1-t.y),t}set needsUpdate(t){t===!0&&(this.version++,this.source.needsUpdate=!0)}set needsPMREMUpdate(t){t===!0&&this.pmremVersion++}};Qe.DEFAULT_IMAGE=null;Qe.DEFAULT_MAPPING=Mh;Qe.DEFAULT_ANISOTROPY=1;var me=class{static{this.prototype.isVector4=!0}constructor(t=0,e=0,n=0,s=1){this.x=t,this.y=e,this.z=n,this.w=s}get width(){return this.z}set width(t){this.z=t}get height(){return this.w}set height(t){this.w=t}set(t,e,n,s){return this.x=t,this.y=e,this.z=n,this.w=s,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this.w=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setW(t){return this.w=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;case 3:this.w=e;break;default:throw new Error("THREE.Vector4: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;case 3:return this.w;default:throw new Error("THREE.Vector4: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z,this.w)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this.w=t.w!==void 0?t.w:1,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this.w+=t.w,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this.w+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this.w=t.w+e.w,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this.w+=t.w*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this.w-=t.w,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this.w-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this.w=t.w-e.w,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this.w*=t.w,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this.w*=t,this}applyMatrix4(t){let e=this.x,n=this.y,s=this.z,r=this.w,o=t.elements;return this.x=o[0]*e+o[4]*n+o[8]*s+o[12]*r,this.y=o[1]*e+o[5]*n+o[9]*s+o[13]*r,this.z=o[2]*e+o[6]*n+o[10]*s+o[14]*r,this.w=o[3]*e+o[7]*n+o[11]*s+o[15]*r,this}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this.w/=t.w,this}divideScalar(t){return this.multiplyScalar(1/t)}setAxisAngleFromQuaternion(t){this.w=2*Math.acos(t.w);let e=Math.sqrt(1-t.w*t.w);return e<1e-4?(this.x=1,this.y=0,this.z=0):(this.x=t.x/e,this.y=t.y/e,this.z=t.z/e),this}setAxisAngleFromRotationMatrix(t){let e,n,s,r,l=t.elements,c=l[0],h=l[4],u=l[8],d=l[1],f=l[5],g=l[9],y=l[2],m=l[6],p=l[10];if(Math.abs(h-d)<.01&&Math.abs(u-y)<.01&&Math.abs(g-m)<.01){if(Math.abs(h+d)<.1&&Math.abs(u+y)<.1&&Math.abs(g+m)<.1&&Math.abs(c+f+p-3)<.1)return this.set(1,0,0,0),this;e=Math.PI;let E=(c+1)/2,S=(f+1)/2,A=(p+1)/2,T=(h+d)/4,x=(u+y)/4,M=(g+m)/4;return E>S&&E>A?E<.01?(n=0,s=.707106781,r=.707106781):(n=Math.sqrt(E),s=T/n,r=x/n):S>A?S<.01?(n=.707106781,s=0,r=.707106781):(s=Math.sqrt(S),n=T/s,r=M/s):A<.01?(n=.707106781,s=.707106781,r=0):(r=Math.sqrt(A),n=x/r,s=M/r),this.set(n,s,r,e),this}let b=Math.sqrt((m-g)*(m-g)+(u-y)*(u-y)+(d-h)*(d-h));return Math.abs(b)<.001&&(b=1),this.x=(m-g)/b,this.y=(u-y)/b,this.z=(d-h)/b,this.w=Math.acos((c+f+p-1)/2),this}setFromMatrixPosition(t){let e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this.w=e[15],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this.w=Math.min(this.w,t.w),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this.w=Math.max(this.w,t.w),this}clamp(t,e){return this.x=Yt(this.x,t.x,e.x),this.y=Yt(this.y,t.y,e.y),this.z=Yt(this.z,t.z,e.z),this.w=Yt(this.w,t.w,e.w),this}clampScalar(t,e){return this.x=Yt(this.x,t,e),this.y=Yt(this.y,t,e),this.z=Yt(this.z,t,e),this.w=Yt(this.w,t,e),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(Yt(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this.w=Math.floor(this.w),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this.w=Math.ceil(this.w),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this.w=Math.round(this.w),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this.w=Math.trunc(this.w),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this.w=-this.w,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z+this.w*t.w}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)+Math.abs(this.w)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this.w+=(t.w-this.w)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this.z=t.z+(e.z-t.z)*n,this.w=t.w+(e.w-t.w)*n,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z&&t.w===this.w}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this.w=t[e+3],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t[e+3]=this.w,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this.w=t.getW(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this.w=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z,yield this.w}},Ta=class extends Rn{constructor(t=1,e=1,n={}){super(),n=Object.assign({generateMipmaps:!1,internalFormat:null,minFilter:Ye,depthBuffer:!0,stencilBuffer:!1,resolveColorBuffer:!0,resolveDepthBuffer:!0,resolveStencilBuffer:!0,storeMultisampledColorBuffer:!0,storeMultisampledDepthBuffer:!0,storeMultisampledStencilBuffer:!0,depthTexture:null,samples:0,count:1,depth:1,multiview:!1,useArrayDepthTexture:!1},n),this.isRenderTarget=!0,this.width=t,this.height=e,this.depth=n.depth,this.scissor=new me(0,0,t,e),this.scissorTest=!1,this.viewport=new me(0,0,t,e),this.textures=[];let s=n.count;for(let r=0;r<s;r++)this.textures[r]=new Qe({width:t,height:e,depth:n.depth}),this.textures[r].isRenderTargetTexture=!0,this.textures[r].renderTarget=this;this._setTextureOptions(n),this.depthBuffer=n.depthBuffer,this.stencilBuffer=n.stencilBuffer,this.resolveColorBuffer=n.resolveColorBuffer,this.resolveDepthBuffer=n.resolveDepthBuffer,this.resolveStencilBuffer=n.resolveStencilBuffer,this.storeMultisampledColorBuffer=n.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=n.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=n.storeMultisampledStencilBuffer,this._depthTexture=null,this.depthTexture=n.depthTexture,this.samples=n.samples,this.multiview=n.multiview,this.useArrayDepthTexture=n.useArrayDepthTexture}_setTextureOptions(t={}){let e={minFilter:Ye,generateMipmaps:!1,flipY:!1,internalFormat:null};t.mapping!==void 0&&(e.mapping=t.mapping),t.wrapS!==void 0&&(e.wrapS=t.wrapS),t.wrapT!==void 0&&(e.wrapT=t.wrapT),t.wrapR!==void 0&&(e.wrapR=t.wrapR),t.magFilter!==void 0&&(e.magFilter=t.magFilter),t.minFilter!==void 0&&(e.minFilter=t.minFilter),t.format!==void 0&&(e.format=t.format),t.type!==void 0&&(e.type=t.type),t.anisotropy!==void 0&&(e.anisotropy=t.anisotropy),t.colorSpace!==void 0&&(e.colorSpace=t.colorSpace),t.flipY!==void 0&&(e.flipY=t.flipY),t.generateMipmaps!==void 0&&(e.generateMipmaps=t.generateMipmaps),t.mipmapsAutoUpdate!==void 0&&(e.mipmapsAutoUpdate=t.mipmapsAutoUpdate),t.internalFormat!==void 0&&(e.internalFormat=t.internalFormat);for(let n=0;n<this.textures.length;n++)this.textures[n].setValues(e)}get texture(){return this.textures[0]}set texture(t){this.textures[0]=t}set depthTexture(t){this._depthTexture!==null&&this._depthTexture.renderTarget===this&&(this._depthTexture.renderTarget=null),t!==null&&t.renderTarget===null&&(t.renderTarget=this),this._depthTexture=t}get depthTexture(){return this._depthTexture}setSize(t,e,n=1){if(this.width!==t||this.height!==e||this.depth!==n){this.width=t,this.height=e,this.depth=n;for(let s=0,r=this.textures.length;s<r;s++)this.textures[s].image.width=t,this.textures[s].image.height=e,this.textures[s].image.depth=n,this.textures[s].isData3DTexture!==!0&&(this.textures[s].isArrayTexture=this.textures[s].image.depth>1);this.dispose()}this.viewport.set(0,0,t,e),this.scissor.set(0,0,t,e)}clone(){return new this.constructor().copy(this)}copy(t){this.width=t.width,this.height=t.height,this.depth=t.depth,this.scissor.copy(t.scissor),this.scissorTest=t.scissorTest,this.viewport.copy(t.viewport),this.textures.length=0;for(let e=0,n=t.textures.length;e<n;e++){this.textures[e]=t.textures[e].clone(),this.textures[e].isRenderTargetTexture=!0,this.textures[e].renderTarget=this;let s=Object.assign({},t.textures[e].image);this.textures[e].source=new Os(s)}if(this.depthBuffer=t.depthBuffer,this.stencilBuffer=t.stencilBuffer,this.resolveColorBuffer=t.resolveColorBuffer,this.resolveDepthBuffer=t.resolveDepthBuffer,this.resolveStencilBuffer=t.resolveStencilBuffer,this.storeMultisampledColorBuffer=t.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=t.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=t.storeMultisampledStencilBuffer,t.depthTexture!==null)if(t.depthTexture.renderTarget===t){let e=t.depthTexture.clone();e.renderTarget=null,this.depthTexture=e}else this.depthTexture=t.depthTexture;else this.depthTexture=null;return this.samples=t.samples,this.multiview=t.multiview,this.useArrayDepthTexture=t.useArrayDepthTexture,this}dispose(){this.dispatchEvent({type:"dispose"})}},ln=class extends Ta{constructor(t=1,e=1,n={}){super(t,e,n),this.isWebGLRenderTarget=!0}},mr=class extends Qe{constructor(t=null,e=1,n=1,s=1){super(null),this.isDataArrayTexture=!0,this.image={data:t,width:e,height:n,depth:s},this.magFilter=De,this.minFilter=De,this.wrapR=kn,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1,this.layerUpdates=new Set}copy(t){return super.copy(t),this.wrapR=t.wrapR,this}addLayerUpdate(t){this.layerUpdates.add(t)}clearLayerUpdates(){this.layerUpdates.clear()}};var Ea=class extends Qe{constructor(t=null,e=1,n=1,s=1){super(null),this.isData3DTexture=!0,this.image={data:t,width:e,height:n,depth:s},this.magFilter=De,this.minFilter=De,this.wrapR=kn,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}copy(t){return super.copy(t),this.wrapR=t.wrapR,this}};var Zt=class i{static{this.prototype.isMatrix4=!0}constructor(t,e,n,s,r,o,a,l,c,h,u,d,f,g,y,m){this.elements=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],t!==void 0&&this.set(t,e,n,s,r,o,a,l,c,h,u,d,f,g,y,m)}set(t,e,n,s,r,o,a,l,c,h,u,d,f,g,y,m){let p=this.elements;return p[0]=t,p[4]=e,p[8]=n,p[12]=s,p[1]=r,p[5]=o,p[9]=a,p[13]=l,p[2]=c,p[6]=h,p[10]=u,p[14]=d,p[3]=f,p[7]=g,p[11]=y,p[15]=m,this}identity(){return this.set(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1),this}clone(){return new i().fromArray(this.elements)}copy(t){let e=this.elements,n=t.elements;return e[0]=n[0],e[1]=n[1],e[2]=n[2],e[3]=n[3],e[4]=n[4],e[5]=n[5],e[6]=n[6],e[7]=n[7],e[8]=n[8],e[9]=n[9],e[10]=n[10],e[11]=n[11],e[12]=n[12],e[13]=n[13],e[14]=n[14],e[15]=n[15],this}copyPosition(t){let e=this.elements,n=t.elements;return e[12]=n[12],e[13]=n[13],e[14]=n[14],this}setFromMatrix3(t){let e=t.elements;return this.set(e[0],e[3],e[6],0,e[1],e[4],e[7],0,e[2],e[5],e[8],0,0,0,0,1),this}extractBasis(t,e,n){return this.determinantAffine()===0?(t.set(1,0,0),e.set(0,1,0),n.set(0,0,1),this):(t.setFromMatrixColumn(this,0),e.setFromMatrixColumn(this,1),n.setFromMatrixColumn(this,2),this)}makeBasis(t,e,n){return this.set(t.x,e.x,n.x,0,t.y,e.y,n.y,0,t.z,e.z,n.z,0,0,0,0,1),this}extractRotation(t){if(t.determinantAffine()===0)return this.identity();let e=this.elements,n=t.elements,s=1/vs.setFromMatrixColumn(t,0).length(),r=1/vs.setFromMatrixColumn(t,1).length(),o=1/vs.setFromMatrixColumn(t,2).length();return e[0]=n[0]*s,e[1]=n[1]*s,e[2]=n[2]*s,e[3]=0,e[4]=n[4]*r,e[5]=n[5]*r,e[6]=n[6]*r,e[7]=0,e[8]=n[8]*o,e[9]=n[9]*o,e[10]=n[10]*o,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromEuler(t){let e=this.elements,n=t.x,s=t.y,r=t.z,o=Math.cos(n),a=Math.sin(n),l=Math.cos(s),c=Math.sin(s),h=Math.cos(r),u=Math.sin(r);if(t.order==="XYZ"){let d=o*h,f=o*u,g=a*h,y=a*u;e[0]=l*h,e[4]=-l*u,e[8]=c,e[1]=f+g*c,e[5]=d-y*c,e[9]=-a*l,e[2]=y-d*c,e[6]=g+f*c,e[10]=o*l}else if(t.order==="YXZ"){let d=l*h,f=l*u,g=c*h,y=c*u;e[0]=d+y*a,e[4]=g*a-f,e[8]=o*c,e[1]=o*u,e[5]=o*h,e[9]=-a,e[2]=f*a-g,e[6]=y+d*a,e[10]=o*l}else if(t.order==="ZXY"){let d=l*h,f=l*u,g=c*h,y=c*u;e[0]=d-y*a,e[4]=-o*u,e[8]=g+f*a,e[1]=f+g*a,e[5]=o*h,e[9]=y-d*a,e[2]=-o*c,e[6]=a,e[10]=o*l}else if(t.order==="ZYX"){let d=o*h,f=o*u,g=a*h,y=a*u;e[0]=l*h,e[4]=g*c-f,e[8]=d*c+y,e[1]=l*u,e[5]=y*c+d,e[9]=f*c-g,e[2]=-c,e[6]=a*l,e[10]=o*l}else if(t.order==="YZX"){let d=o*l,f=o*c,g=a*l,y=a*c;e[0]=l*h,e[4]=y-d*u,e[8]=g*u+f,e[1]=u,e[5]=o*h,e[9]=-a*h,e[2]=-c*h,e[6]=f*u+g,e[10]=d-y*u}else if(t.order==="XZY"){let d=o*l,f=o*c,g=a*l,y=a*c;e[0]=l*h,e[4]=-u,e[8]=c*h,e[1]=d*u+y,e[5]=o*h,e[9]=f*u-g,e[2]=g*u-f,e[6]=a*h,e[10]=y*u+d}return e[3]=0,e[7]=0,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromQuaternion(t){return this.compose(e0,t,n0)}lookAt(t,e,n){let s=this.elements;return sn.subVectors(t,e),sn.lengthSq()===0&&(sn.z=1),sn.normalize(),yi.crossVectors(n,sn),yi.lengthSq()===0&&(Math.abs(n.z)===1?sn.x+=1e-4:sn.z+=1e-4,sn.normalize(),yi.crossVectors(n,sn)),yi.normalize(),Go.crossVectors(sn,yi),s[0]=yi.x,s[4]=Go.x,s[8]=sn.x,s[1]=yi.y,s[5]=Go.y,s[9]=sn.y,s[2]=yi.z,s[6]=Go.z,s[10]=sn.z,this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){let n=t.elements,s=e.elements,r=this.elements,o=n[0],a=n[4],l=n[8],c=n[12],h=n[1],u=n[5],d=n[9],f=n[13],g=n[2],y=n[6],m=n[10],p=n[14],b=n[3],E=n[7],S=n[11],A=n[15],T=s[0],x=s[4],M=s[8],U=s[12],P=s[1],O=s[5],F=s[9],H=s[13],L=s[2],W=s[6],q=s[10],G=s[14],it=s[3],$=s[7],Q=s[11],et=s[15];return r[0]=o*T+a*P+l*L+c*it,r[4]=o*x+a*O+l*W+c*$,r[8]=o*M+a*F+l*q+c*Q,r[12]=o*U+a*H+l*G+c*et,r[1]=h*T+u*P+d*L+f*it,r[5]=h*x+u*O+d*W+f*$,r[9]=h*M+u*F+d*q+f*Q,r[13]=h*U+u*H+d*G+f*et,r[2]=g*T+y*P+m*L+p*it,r[6]=g*x+y*O+m*W+p*$,r[10]=g*M+y*F+m*q+p*Q,r[14]=g*U+y*H+m*G+p*et,r[3]=b*T+E*P+S*L+A*it,r[7]=b*x+E*O+S*W+A*$,r[11]=b*M+E*F+S*q+A*Q,r[15]=b*U+E*H+S*G+A*et,this}multiplyScalar(t){let e=this.elements;return e[0]*=t,e[4]*=t,e[8]*=t,e[12]*=t,e[1]*=t,e[5]*=t,e[9]*=t,e[13]*=t,e[2]*=t,e[6]*=t,e[10]*=t,e[14]*=t,e[3]*=t,e[7]*=t,e[11]*=t,e[15]*=t,this}determinant(){let t=this.elements,e=t[0],n=t[4],s=t[8],r=t[12],o=t[1],a=t[5],l=t[9],c=t[13],h=t[2],u=t[6],d=t[10],f=t[14],g=t[3],y=t[7],m=t[11],p=t[15],b=l*f-c*d,E=a*f-c*u,S=a*d-l*u,A=o*f-c*h,T=o*d-l*h,x=o*u-a*h;return e*(y*b-m*E+p*S)-n*(g*b-m*A+p*T)+s*(g*E-y*A+p*x)-r*(g*S-y*T+m*x)}determinantAffine(){let t=this.elements,e=t[0],n=t[4],s=t[8],r=t[1],o=t[5],a=t[9],l=t[2],c=t[6],h=t[10];return e*(o*h-a*c)-n*(r*h-a*l)+s*(r*c-o*l)}transpose(){let t=this.elements,e;return e=t[1],t[1]=t[4],t[4]=e,e=t[2],t[2]=t[8],t[8]=e,e=t[6],t[6]=t[9],t[9]=e,e=t[3],t[3]=t[12],t[12]=e,e=t[7],t[7]=t[13],t[13]=e,e=t[11],t[11]=t[14],t[14]=e,this}setPosition(t,e,n){let s=this.elements;return t.isVector3?(s[12]=t.x,s[13]=t.y,s[14]=t.z):(s[12]=t,s[13]=e,s[14]=n),this}invert(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8],u=t[9],d=t[10],f=t[11],g=t[12],y=t[13],m=t[14],p=t[15],b=e*a-n*o,E=e*l-s*o,S=e*c-r*o,A=n*l-s*a,T=n*c-r*a,x=s*c-r*l,M=h*y-u*g,U=h*m-d*g,P=h*p-f*g,O=u*m-d*y,F=u*p-f*y,H=d*p-f*m,L=b*H-E*F+S*O+A*P-T*U+x*M;if(L===0)return this.set(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0);let W=1/L;return t[0]=(a*H-l*F+c*O)*W,t[1]=(s*F-n*H-r*O)*W,t[2]=(y*x-m*T+p*A)*W,t[3]=(d*T-u*x-f*A)*W,t[4]=(l*P-o*H-c*U)*W,t[5]=(e*H-s*P+r*U)*W,t[6]=(m*S-g*x-p*E)*W,t[7]=(h*x-d*S+f*E)*W,t[8]=(o*F-a*P+c*M)*W,t[9]=(n*P-e*F-r*M)*W,t[10]=(g*T-y*S+p*b)*W,t[11]=(u*S-h*T-f*b)*W,t[12]=(a*U-o*O-l*M)*W,t[13]=(e*O-n*U+s*M)*W,t[14]=(y*E-g*A-m*b)*W,t[15]=(h*A-u*E+d*b)*W,this}scale(t){let e=this.elements,n=t.x,s=t.y,r=t.z;return e[0]*=n,e[4]*=s,e[8]*=r,e[1]*=n,e[5]*=s,e[9]*=r,e[2]*=n,e[6]*=s,e[10]*=r,e[3]*=n,e[7]*=s,e[11]*=r,this}getMaxScaleOnAxis(){let t=this.elements,e=t[0]*t[0]+t[1]*t[1]+t[2]*t[2],n=t[4]*t[4]+t[5]*t[5]+t[6]*t[6],s=t[8]*t[8]+t[9]*t[9]+t[10]*t[10];return Math.sqrt(Math.max(e,n,s))}makeTranslation(t,e,n){return t.isVector3?this.set(1,0,0,t.x,0,1,0,t.y,0,0,1,t.z,0,0,0,1):this.set(1,0,0,t,0,1,0,e,0,0,1,n,0,0,0,1),this}makeRotationX(t){let e=Math.cos(t),n=Math.sin(t);return this.set(1,0,0,0,0,e,-n,0,0,n,e,0,0,0,0,1),this}makeRotationY(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,0,n,0,0,1,0,0,-n,0,e,0,0,0,0,1),this}makeRotationZ(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,-n,0,0,n,e,0,0,0,0,1,0,0,0,0,1),this}makeRotationAxis(t,e){let n=Math.cos(e),s=Math.sin(e),r=1-n,o=t.x,a=t.y,l=t.z,c=r*o,h=r*a;return this.set(c*o+n,c*a-s*l,c*l+s*a,0,c*a+s*l,h*a+n,h*l-s*o,0,c*l-s*a,h*l+s*o,r*l*l+n,0,0,0,0,1),this}makeScale(t,e,n){return this.set(t,0,0,0,0,e,0,0,0,0,n,0,0,0,0,1),this}makeShear(t,e,n,s,r,o){return this.set(1,n,r,0,t,1,o,0,e,s,1,0,0,0,0,1),this}compose(t,e,n){let s=this.elements,r=e._x,o=e._y,a=e._z,l=e._w,c=r+r,h=o+o,u=a+a,d=r*c,f=r*h,g=r*u,y=o*h,m=o*u,p=a*u,b=l*c,E=l*h,S=l*u,A=n.x,T=n.y,x=n.z;return s[0]=(1-(y+p))*A,s[1]=(f+S)*A,s[2]=(g-E)*A,s[3]=0,s[4]=(f-S)*T,s[5]=(1-(d+p))*T,s[6]=(m+b)*T,s[7]=0,s[8]=(g+E)*x,s[9]=(m-b)*x,s[10]=(1-(d+y))*x,s[11]=0,s[12]=t.x,s[13]=t.y,s[14]=t.z,s[15]=1,this}decompose(t,e,n){let s=this.elements;t.x=s[12],t.y=s[13],t.z=s[14];let r=this.determinantAffine();if(r===0)return n.set(1,1,1),e.identity(),this;let o=vs.set(s[0],s[1],s[2]).length(),a=vs.set(s[4],s[5],s[6]).length(),l=vs.set(s[8],s[9],s[10]).length();r<0&&(o=-o),En.copy(this);let c=1/o,h=1/a,u=1/l;return En.elements[0]*=c,En.elements[1]*=c,En.elements[2]*=c,En.elements[4]*=h,En.elements[5]*=h,En.elements[6]*=h,En.elements[8]*=u,En.elements[9]*=u,En.elements[10]*=u,e.setFromRotationMatrix(En),n.x=o,n.y=a,n.z=l,this}makePerspective(t,e,n,s,r,o,a=yn,l=!1){let c=this.elements,h=2*r/(e-t),u=2*r/(n-s),d=(e+t)/(e-t),f=(n+s)/(n-s),g,y;if(l)g=r/(o-r),y=o*r/(o-r);else if(a===yn)g=-(o+r)/(o-r),y=-2*o*r/(o-r);else if(a===Ns)g=-o/(o-r),y=-o*r/(o-r);else throw new Error("THREE.Matrix4.makePerspective(): Invalid coordinate system: "+a);return c[0]=h,c[4]=0,c[8]=d,c[12]=0,c[1]=0,c[5]=u,c[9]=f,c[13]=0,c[2]=0,c[6]=0,c[10]=g,c[14]=y,c[3]=0,c[7]=0,c[11]=-1,c[15]=0,this}makeOrthographic(t,e,n,s,r,o,a=yn,l=!1){let c=this.elements,h=2/(e-t),u=2/(n-s),d=-(e+t)/(e-t),f=-(n+s)/(n-s),g,y;if(l)g=1/(o-r),y=o/(o-r);else if(a===yn)g=-2/(o-r),y=-(o+r)/(o-r);else if(a===Ns)g=-1/(o-r),y=-r/(o-r);else throw new Error("THREE.Matrix4.makeOrthographic(): Invalid coordinate system: "+a);return c[0]=h,c[4]=0,c[8]=0,c[12]=d,c[1]=0,c[5]=u,c[9]=0,c[13]=f,c[2]=0,c[6]=0,c[10]=g,c[14]=y,c[3]=0,c[7]=0,c[11]=0,c[15]=1,this}equals(t){let e=this.elements,n=t.elements;for(let s=0;s<16;s++)if(e[s]!==n[s])return!1;return!0}fromArray(t,e=0){for(let n=0;n<16;n++)this.elements[n]=t[n+e];return this}toArray(t=[],e=0){let n=this.elements;return t[e]=n[0],t[e+1]=n[1],t[e+2]=n[2],t[e+3]=n[3],t[e+4]=n[4],t[e+5]=n[5],t[e+6]=n[6],t[e+7]=n[7],t[e+8]=n[8],t[e+9]=n[9],t[e+10]=n[10],t[e+11]=n[11],t[e+12]=n[12],t[e+13]=n[13],t[e+14]=n[14],t[e+15]=n[15],t}},vs=new I,En=new Zt,e0=new I(0,0,0),n0=new I(1,1,1),yi=new I,Go=new I,sn=new I,Zd=new Zt,Kd=new ye,Bn=class i{constructor(t=0,e=0,n=0,s=i.DEFAULT_ORDER){this.isEuler=!0,this._x=t,this._y=e,this._z=n,this._order=s}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get order(){return this._order}set order(t){this._order=t,this._onChangeCallback()}set(t,e,n,s=this._order){return this._x=t,this._y=e,this._z=n,this._order=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._order)}copy(t){return this._x=t._x,this._y=t._y,this._z=t._z,this._order=t._order,this._onChangeCallback(),this}setFromRotationMatrix(t,e=this._order,n=!0){let s=t.elements,r=s[0],o=s[4],a=s[8],l=s[1],c=s[5],h=s[9],u=s[2],d=s[6],f=s[10];switch(e){case"XYZ":this._y=Math.asin(Yt(a,-1,1)),Math.abs(a)<.9999999?(this._x=Math.atan2(-h,f),this._z=Math.atan2(-o,r)):(this._x=Math.atan2(d,c),this._z=0);break;case"YXZ":this._x=Math.asin(-Yt(h,-1,1)),Math.abs(h)<.9999999?(this._y=Math.atan2(a,f),this._z=Math.atan2(l,c)):(this._y=Math.atan2(-u,r),this._z=0);break;case"ZXY":this._x=Math.asin(Yt(d,-1,1)),Math.abs(d)<.9999999?(this._y=Math.atan2(-u,f),this._z=Math.atan2(-o,c)):(this._y=0,this._z=Math.atan2(l,r));break;case"ZYX":this._y=Math.asin(-Yt(u,-1,1)),Math.abs(u)<.9999999?(this._x=Math.atan2(d,f),this._z=Math.atan2(l,r)):(this._x=0,this._z=Math.atan2(-o,c));break;case"YZX":this._z=Math.asin(Yt(l,-1,1)),Math.abs(l)<.9999999?(this._x=Math.atan2(-h,c),this._y=Math.atan2(-u,r)):(this._x=0,this._y=Math.atan2(a,f));break;case"XZY":this._z=Math.asin(-Yt(o,-1,1)),Math.abs(o)<.9999999?(this._x=Math.atan2(d,c),this._y=Math.atan2(a,r)):(this._x=Math.atan2(-h,f),this._y=0);break;default:Ct("Euler: .setFromRotationMatrix() encountered an unknown order: "+e)}return this._order=e,n===!0&&this._onChangeCallback(),this}setFromQuaternion(t,e,n){return Zd.makeRotationFromQuaternion(t),this.setFromRotationMatrix(Zd,e,n)}setFromVector3(t,e=this._order){return this.set(t.x,t.y,t.z,e)}reorder(t){return Kd.setFromEuler(this),this.setFromQuaternion(Kd,t)}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._order===this._order}fromArray(t){return this._x=t[0],this._y=t[1],this._z=t[2],t[3]!==void 0&&(this._order=t[3]),this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._order,t}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._order}};Bn.DEFAULT_ORDER="XYZ";var gr=class{constructor(){this.mask=1}set(t){this.mask=(1<<t|0)>>>0}enable(t){this.mask|=1<<t|0}enableAll(){this.mask=-1}toggle(t){this.mask^=1<<t|0}disable(t){this.mask&=~(1<<t|0)}disableAll(){this.mask=0}test(t){return(this.mask&t.mask)!==0}isEnabled(t){return(this.mask&(1<<t|0))!==0}},i0=0,Jd=new I,ys=new ye,ti=new Zt,Wo=new I,er=new I,s0=new I,r0=new ye,jd=new I(1,0,0),Qd=new I(0,1,0),tf=new I(0,0,1),ef={type:"added"},o0={type:"removed"},_s={type:"childadded",child:null},Bc={type:"childremoved",child:null},ke=class i extends Rn{constructor(){super(),this.isObject3D=!0,Object.defineProperty(this,"id",{value:i0++}),this.uuid=qs(),this.name="",this.type="Object3D",this.parent=null,this.children=[],this.up=i.DEFAULT_UP.clone();let t=new I,e=new Bn,n=new ye,s=new I(1,1,1);function r(){n.setFromEuler(e,!1)}function o(){e.setFromQuaternion(n,void 0,!1)}e._onChange(r),n._onChange(o),Object.defineProperties(this,{position:{configurable:!0,enumerable:!0,value:t},rotation:{configurable:!0,enumerable:!0,value:e},quaternion:{configurable:!0,enumerable:!0,value:n},scale:{configurable:!0,enumerable:!0,value:s},modelViewMatrix:{value:new Zt},normalMatrix:{value:new Ft}}),this.matrix=new Zt,this.matrixWorld=new Zt,this.matrixAutoUpdate=i.DEFAULT_MATRIX_AUTO_UPDATE,this.matrixWorldAutoUpdate=i.DEFAULT_MATRIX_WORLD_AUTO_UPDATE,this.matrixWorldNeedsUpdate=!1,this.layers=new gr,this.visible=!0,this.castShadow=!1,this.receiveShadow=!1,this.frustumCulled=!0,this.renderOrder=0,this.animations=[],this.customDepthMaterial=void 0,this.customDistanceMaterial=void 0,this.static=!1,this.userData={},this.pivot=null}onBeforeShadow(){}onAfterShadow(){}onBeforeRender(){}onAfterRender(){}applyMatrix4(t){this.matrixAutoUpdate&&this.updateMatrix(),this.matrix.premultiply(t),this.matrix.decompose(this.position,this.quaternion,this.scale),this.pivot!==null&&this.position.copy(this.pivot).applyMatrix4(this.matrix).sub(this.pivot)}applyQuaternion(t){return this.quaternion.premultiply(t),this}setRotationFromAxisAngle(t,e){this.quaternion.setFromAxisAngle(t,e)}setRotationFromEuler(t){this.quaternion.setFromEuler(t,!0)}setRotationFromMatrix(t){this.quaternion.setFromRotationMatrix(t)}setRotationFromQuaternion(t){this.quaternion.copy(t)}rotateOnAxis(t,e){return ys.setFromAxisAngle(t,e),this.quaternion.multiply(ys),this}rotateOnWorldAxis(t,e){return ys.setFromAxisAngle(t,e),this.quaternion.premultiply(ys),this}rotateX(t){return this.rotateOnAxis(jd,t)}rotateY(t){return this.rotateOnAxis(Qd,t)}rotateZ(t){return this.rotateOnAxis(tf,t)}translateOnAxis(t,e){return Jd.copy(t).applyQuaternion(this.quaternion),this.position.add(Jd.multiplyScalar(e)),this}translateX(t){return this.translateOnAxis(jd,t)}translateY(t){return this.translateOnAxis(Qd,t)}translateZ(t){return this.translateOnAxis(tf,t)}localToWorld(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(this.matrixWorld)}worldToLocal(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(ti.copy(this.matrixWorld).invert())}lookAt(t,e,n){t.isVector3?Wo.copy(t):Wo.set(t,e,n);let s=this.parent;this.updateWorldMatrix(!0,!1),er.setFromMatrixPosition(this.matrixWorld),this.isCamera||this.isLight?ti.lookAt(er,Wo,this.up):ti.lookAt(Wo,er,this.up),this.quaternion.setFromRotationMatrix(ti),s&&(ti.extractRotation(s.matrixWorld),ys.setFromRotationMatrix(ti),this.quaternion.premultiply(ys.invert()))}add(t){if(arguments.length>1){for(let e=0;e<arguments.length;e++)this.add(arguments[e]);return this}return t===this?(Ut("Object3D.add: object can't be added as a child of itself.",t),this):(t&&t.isObject3D?(t.removeFromParent(),t.parent=this,this.children.push(t),t.dispatchEvent(ef),_s.child=t,this.dispatchEvent(_s),_s.child=null):Ut("Object3D.add: object not an instance of THREE.Object3D.",t),this)}remove(t){if(arguments.length>1){for(let n=0;n<arguments.length;n++)this.remove(arguments[n]);return this}let e=this.children.indexOf(t);return e!==-1&&(t.parent=null,this.children.splice(e,1),t.dispatchEvent(o0),Bc.child=t,this.dispatchEvent(Bc),Bc.child=null),this}removeFromParent(){let t=this.parent;return t!==null&&t.remove(this),this}clear(){return this.remove(...this.children)}attach(t){return this.updateWorldMatrix(!0,!1),ti.copy(this.matrixWorld).invert(),t.parent!==null&&(t.parent.updateWorldMatrix(!0,!1),ti.multiply(t.parent.matrixWorld)),t.applyMatrix4(ti),t.removeFromParent(),t.parent=this,this.children.push(t),t.updateWorldMatrix(!1,!0),t.dispatchEvent(ef),_s.child=t,this.dispatchEvent(_s),_s.child=null,this}getObjectById(t){return this.getObjectByProperty("id",t)}getObjectByName(t){return this.getObjectByProperty("name",t)}getObjectByProperty(t,e){if(this[t]===e)return this;for(let n=0,s=this.children.length;n<s;n++){let o=this.children[n].getObjectByProperty(t,e);if(o!==void 0)return o}}getObjectsByProperty(t,e,n=[]){this[t]===e&&n.push(this);let s=this.children;for(let r=0,o=s.length;r<o;r++)s[r].getObjectsByProperty(t,e,n);return n}getWorldPosition(t){return this.updateWorldMatrix(!0,!1),t.setFromMatrixPosition(this.matrixWorld)}getWorldQuaternion(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(er,t,s0),t}getWorldScale(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(er,r0,t),t}getWorldDirection(t){this.updateWorldMatrix(!0,!1);let e=this.matrixWorld.elements;return t.set(e[8],e[9],e[10]).normalize()}raycast(){}intersectsFrustum(){return!0}traverse(t){t(this);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].traverse(t)}traverseVisible(t){if(this.visible===!1)return;t(this);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].traverseVisible(t)}traverseAncestors(t){let e=this.parent;e!==null&&(t(e),e.traverseAncestors(t))}updateMatrix(){this.matrix.compose(this.position,this.quaternion,this.scale);let t=this.pivot;if(t!==null){let e=t.x,n=t.y,s=t.z,r=this.matrix.elements;r[12]+=e-r[0]*e-r[4]*n-r[8]*s,r[13]+=n-r[1]*e-r[5]*n-r[9]*s,r[14]+=s-r[2]*e-r[6]*n-r[10]*s}this.matrixWorldNeedsUpdate=!0}updateMatrixWorld(t){this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||t)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,t=!0);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].updateMatrixWorld(t)}updateWorldMatrix(t,e,n=!1){let s=this.parent;if(t===!0&&s!==null&&s.updateWorldMatrix(!0,!1),this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||n)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,n=!0),e===!0){let r=this.children;for(let o=0,a=r.length;o<a;o++)r[o].updateWorldMatrix(!1,!0,n)}}toJSON(t){let e=t===void 0||typeof t=="string",n={};e&&(t={geometries:{},materials:{},textures:{},images:{},shapes:{},skeletons:{},animations:{},nodes:{}},n.metadata={version:4.7,type:"Object",generator:"Object3D.toJSON"});let s={};s.uuid=this.uuid,s.type=this.type,s.name=this.name,s.castShadow=this.castShadow,s.receiveShadow=this.receiveShadow,s.visible=this.visible,s.frustumCulled=this.frustumCulled,s.renderOrder=this.renderOrder,s.static=this.static,s.matrixAutoUpdate=this.matrixAutoUpdate,Object.keys(this.userData).length>0&&(s.userData=this.userData),s.layers=this.layers.mask,s.matrix=this.matrix.toArray(),s.up=this.up.toArray(),this.pivot!==null&&(s.pivot=this.pivot.toArray()),this.morphTargetDictionary!==void 0&&(s.morphTargetDictionary=Object.assign({},this.morphTargetDictionary)),this.morphTargetInfluences!==void 0&&(s.morphTargetInfluences=this.morphTargetInfluences.slice()),this.isInstancedMesh&&(s.type="InstancedMesh",s.count=this.count,s.instanceMatrix=this.instanceMatrix.toJSON(),this.instanceColor!==null&&(s.instanceColor=this.instanceColor.toJSON())),this.isBatchedMesh&&(s.type="BatchedMesh",s.perObjectFrustumCulled=this.perObjectFrustumCulled,s.sortObjects=this.sortObjects,s.drawRanges=this._drawRanges,s.reservedRanges=this._reservedRanges,s.geometryInfo=this._geometryInfo.map(a=>({...a,boundingBox:a.boundingBox?a.boundingBox.toJSON():void 0,boundingSphere:a.boundingSphere?a.boundingSphere.toJSON():void 0})),s.instanceInfo=this._instanceInfo.map(a=>({...a})),s.availableInstanceIds=this._availableInstanceIds.slice(),s.availableGeometryIds=this._availableGeometryIds.slice(),s.nextIndexStart=this._nextIndexStart,s.nextVertexStart=this._nextVertexStart,s.geometryCount=this._geometryCount,s.maxInstanceCount=this._maxInstanceCount,s.maxVertexCount=this._maxVertexCount,s.maxIndexCount=this._maxIndexCount,s.geometryInitialized=this._geometryInitialized,s.matricesTexture=this._matricesTexture.toJSON(t),s.indirectTexture=this._indirectTexture.toJSON(t),this._colorsTexture!==null&&(s.colorsTexture=this._colorsTexture.toJSON(t)),this.boundingSphere!==null&&(s.boundingSphere=this.boundingSphere.toJSON()),this.boundingBox!==null&&(s.boundingBox=this.boundingBox.toJSON()));function r(a,l){return a[l.uuid]===void 0&&(a[l.uuid]=l.toJSON(t)),l.uuid}if(this.isScene)this.background&&(this.background.isColor?s.background=this.background.toJSON():this.background.isTexture&&(s.background=this.background.toJSON(t).uuid)),this.environment&&this.environment.isTexture&&this.environment.isRenderTargetTexture!==!0&&(s.environment=this.environment.toJSON(t).uuid);else if(this.isMesh||this.isLine||this.isPoints){s.geometry=r(t.geometries,this.geometry);let a=this.geometry.parameters;if(a!==void 0&&a.shapes!==void 0){let l=a.shapes;if(Array.isArray(l))for(let c=0,h=l.length;c<h;c++){let u=l[c];r(t.shapes,u)}else r(t.shapes,l)}}if(this.isSkinnedMesh&&(s.bindMode=this.bindMode,s.bindMatrix=this.bindMatrix.toArray(),this.skeleton!==void 0&&(r(t.skeletons,this.skeleton),s.skeleton=this.skeleton.uuid)),this.material!==void 0)if(Array.isArray(this.material)){let a=[];for(let l=0,c=this.material.length;l<c;l++)a.push(r(t.materials,this.material[l]));s.material=a}else s.material=r(t.materials,this.material);if(this.children.length>0){s.children=[];for(let a=0;a<this.children.length;a++)s.children.push(this.children[a].toJSON(t).object)}if(this.animations.length>0){s.animations=[];for(let a=0;a<this.animations.length;a++){let l=this.animations[a];s.animations.push(r(t.animations,l))}}if(e){let a=o(t.geometries),l=o(t.materials),c=o(t.textures),h=o(t.images),u=o(t.shapes),d=o(t.skeletons),f=o(t.animations),g=o(t.nodes);a.length>0&&(n.geometries=a),l.length>0&&(n.materials=l),c.length>0&&(n.textures=c),h.length>0&&(n.images=h),u.length>0&&(n.shapes=u),d.length>0&&(n.skeletons=d),f.length>0&&(n.animations=f),g.length>0&&(n.nodes=g)}return n.object=s,n;function o(a){let l=[];for(let c in a){let h=a[c];delete h.metadata,l.push(h)}return l}}clone(t){return new this.constructor().copy(this,t)}copy(t,e=!0){if(this.name=t.name,this.up.copy(t.up),this.position.copy(t.position),this.rotation.order=t.rotation.order,this.quaternion.copy(t.quaternion),this.scale.copy(t.scale),this.pivot=t.pivot!==null?t.pivot.clone():null,this.matrix.copy(t.matrix),this.matrixWorld.copy(t.matrixWorld),this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrixWorldAutoUpdate=t.matrixWorldAutoUpdate,this.matrixWorldNeedsUpdate=t.matrixWorldNeedsUpdate,this.layers.mask=t.layers.mask,this.visible=t.visible,this.castShadow=t.castShadow,this.receiveShadow=t.receiveShadow,this.frustumCulled=t.frustumCulled,this.renderOrder=t.renderOrder,this.static=t.static,this.animations=t.animations.slice(),this.userData=JSON.parse(JSON.stringify(t.userData)),e===!0)for(let n=0;n<t.children.length;n++){let s=t.children[n];this.add(s.clone())}return this}dispose(){this.dispatchEvent({type:"dispose"})}};ke.DEFAULT_UP=new I(0,1,0);ke.DEFAULT_MATRIX_AUTO_UPDATE=!0;ke.DEFAULT_MATRIX_WORLD_AUTO_UPDATE=!0;var Ne=class extends ke{constructor(){super(),this.isGroup=!0,this.type="Group"}},a0={type:"move"},Fs=class{constructor(){this._targetRay=null,this._grip=null,this._hand=null}getHandSpace(){return this._hand===null&&(this._hand=new Ne,this._hand.matrixAutoUpdate=!1,this._hand.visible=!1,this._hand.joints={},this._hand.inputState={pinching:!1}),this._hand}getTargetRaySpace(){return this._targetRay===null&&(this._targetRay=new Ne,this._targetRay.matrixAutoUpdate=!1,this._targetRay.visible=!1,this._targetRay.hasLinearVelocity=!1,this._targetRay.linearVelocity=new I,this._targetRay.hasAngularVelocity=!1,this._targetRay.angularVelocity=new I),this._targetRay}getGripSpace(){return this._grip===null&&(this._grip=new Ne,this._grip.matrixAutoUpdate=!1,this._grip.visible=!1,this._grip.hasLinearVelocity=!1,this._grip.linearVelocity=new I,this._grip.hasAngularVelocity=!1,this._grip.angularVelocity=new I,this._grip.eventsEnabled=!1),this._grip}dispatchEvent(t){return this._targetRay!==null&&this._targetRay.dispatchEvent(t),this._grip!==null&&this._grip.dispatchEvent(t),this._hand!==null&&this._hand.dispatchEvent(t),this}connect(t){if(t&&t.hand){let e=this._hand;if(e)for(let n of t.hand.values())this._getHandJoint(e,n)}return this.dispatchEvent({type:"connected",data:t}),this}disconnect(t){return this.dispatchEvent({type:"disconnected",data:t}),this._targetRay!==null&&(this._targetRay.visible=!1),this._grip!==null&&(this._grip.visible=!1),this._hand!==null&&(this._hand.visible=!1),this}update(t,e,n){let s=null,r=null,o=null,a=this._targetRay,l=this._grip,c=this._hand;if(t&&e.session.visibilityState!=="visible-blurred"){if(c&&t.hand){o=!0;for(let y of t.hand.values()){let m=e.getJointPose(y,n),p=this._getHandJoint(c,y);m!==null&&(p.matrix.fromArray(m.transform.matrix),p.matrix.decompose(p.position,p.quaternion,p.scale),p.matrixWorldNeedsUpdate=!0,p.jointRadius=m.radius),p.visible=m!==null}let h=c.joints["index-finger-tip"],u=c.joints["thumb-tip"],d=h.position.distanceTo(u.position),f=.02,g=.005;c.inputState.pinching&&d>f+g?(c.inputState.pinching=!1,this.dispatchEvent({type:"pinchend",handedness:t.handedness,target:this})):!c.inputState.pinching&&d<=f-g&&(c.inputState.pinching=!0,this.dispatchEvent({type:"pinchstart",handedness:t.handedness,target:this}))}else l!==null&&t.gripSpace&&(r=e.getPose(t.gripSpace,n),r!==null&&(l.matrix.fromArray(r.transform.matrix),l.matrix.decompose(l.position,l.quaternion,l.scale),l.matrixWorldNeedsUpdate=!0,r.linearVelocity?(l.hasLinearVelocity=!0,l.linearVelocity.copy(r.linearVelocity)):l.hasLinearVelocity=!1,r.angularVelocity?(l.hasAngularVelocity=!0,l.angularVelocity.copy(r.angularVelocity)):l.hasAngularVelocity=!1,l.eventsEnabled&&l.dispatchEvent({type:"gripUpdated",data:t,target:this})));a!==null&&(s=e.getPose(t.targetRaySpace,n),s===null&&r!==null&&(s=r),s!==null&&(a.matrix.fromArray(s.transform.matrix),a.matrix.decompose(a.position,a.quaternion,a.scale),a.matrixWorldNeedsUpdate=!0,s.linearVelocity?(a.hasLinearVelocity=!0,a.linearVelocity.copy(s.linearVelocity)):a.hasLinearVelocity=!1,s.angularVelocity?(a.hasAngularVelocity=!0,a.angularVelocity.copy(s.angularVelocity)):a.hasAngularVelocity=!1,this.dispatchEvent(a0)))}return a!==null&&(a.visible=s!==null),l!==null&&(l.visible=r!==null),c!==null&&(c.visible=o!==null),this}_getHandJoint(t,e){if(t.joints[e.jointName]===void 0){let n=new Ne;n.matrixAutoUpdate=!1,n.visible=!1,t.joints[e.jointName]=n,t.add(n)}return t.joints[e.jointName]}},op={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074},_i={h:0,s:0,l:0},Xo={h:0,s:0,l:0};function zc(i,t,e){return e<0&&(e+=1),e>1&&(e-=1),e<1/6?i+(t-i)*6*e:e<1/2?t:e<2/3?i+(t-i)*6*(2/3-e):i}var Dt=class{constructor(t,e,n){return this.isColor=!0,this.r=1,this.g=1,this.b=1,this.set(t,e,n)}set(t,e,n){if(e===void 0&&n===void 0){let s=t;s&&s.isColor?this.copy(s):typeof s=="number"?this.setHex(s):typeof s=="string"&&this.setStyle(s)}else this.setRGB(t,e,n);return this}setScalar(t){return this.r=t,this.g=t,this.b=t,this}setHex(t,e=on){return t=Math.floor(t),this.r=(t>>16&255)/255,this.g=(t>>8&255)/255,this.b=(t&255)/255,Qt.colorSpaceToWorking(this,e),this}setRGB(t,e,n,s=Qt.workingColorSpace){return this.r=t,this.g=e,this.b=n,Qt.colorSpaceToWorking(this,s),this}setHSL(t,e,n,s=Qt.workingColorSpace){if(t=Uh(t,1),e=Yt(e,0,1),n=Yt(n,0,1),e===0)this.r=this.g=this.b=n;else{let r=n<=.5?n*(1+e):n+e-n*e,o=2*n-r;this.r=zc(o,r,t+1/3),this.g=zc(o,r,t),this.b=zc(o,r,t-1/3)}return Qt.colorSpaceToWorking(this,s),this}setStyle(t,e=on){function n(r){r!==void 0&&parseFloat(r)<1&&Ct("Color: Alpha component of "+t+" will be ignored.")}let s;if(s=/^(\w+)\(([^\)]*)\)/.exec(t)){let r,o=s[1],a=s[2];switch(o){case"rgb":case"rgba":if(r=/^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(255,parseInt(r[1],10))/255,Math.min(255,parseInt(r[2],10))/255,Math.min(255,parseInt(r[3],10))/255,e);if(r=/^\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(100,parseFloat(r[1]))/100,Math.min(100,parseFloat(r[2]))/100,Math.min(100,parseFloat(r[3]))/100,e);break;case"hsl":case"hsla":if(r=/^\s*([+-]?(?:\d+(?:\.\d+)?|\.\d+))\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setHSL(parseFloat(r[1])/360,parseFloat(r[2])/100,parseFloat(r[3])/100,e);break;default:Ct("Color: Unknown color model "+t)}}else if(s=/^\#([A-Fa-f\d]+)$/.exec(t)){let r=s[1],o=r.length;if(o===3)return this.setRGB(parseInt(r.charAt(0),16)/15,parseInt(r.charAt(1),16)/15,parseInt(r.charAt(2),16)/15,e);if(o===6)return this.setHex(parseInt(r,16),e);Ct("Color: Invalid hex color "+t)}else if(t&&t.length>0)return this.setColorName(t,e);return this}setColorName(t,e=on){let n=op[t.toLowerCase()];return n!==void 0?this.setHex(n,e):Ct("Color: Unknown color "+t),this}clone(){return new this.constructor(this.r,this.g,this.b)}copy(t){return this.r=t.r,this.g=t.g,this.b=t.b,this}copySRGBToLinear(t){return this.r=ri(t.r),this.g=ri(t.g),this.b=ri(t.b),this}copyLinearToSRGB(t){return this.r=Is(t.r),this.g=Is(t.g),this.b=Is(t.b),this}convertSRGBToLinear(){return this.copySRGBToLinear(this),this}convertLinearToSRGB(){return this.copyLinearToSRGB(this),this}getHex(t=on){return Qt.workingToColorSpace(He.copy(this),t),Math.round(Yt(He.r*255,0,255))*65536+Math.round(Yt(He.g*255,0,255))*256+Math.round(Yt(He.b*255,0,255))}getHexString(t=on){return("000000"+this.getHex(t).toString(16)).slice(-6)}getHSL(t,e=Qt.workingColorSpace){Qt.workingToColorSpace(He.copy(this),e);let n=He.r,s=He.g,r=He.b,o=Math.max(n,s,r),a=Math.min(n,s,r),l,c,h=(a+o)/2;if(a===o)l=0,c=0;else{let u=o-a;switch(c=h<=.5?u/(o+a):u/(2-o-a),o){case n:l=(s-r)/u+(s<r?6:0);break;case s:l=(r-n)/u+2;break;case r:l=(n-s)/u+4;break}l/=6}return t.h=l,t.s=c,t.l=h,t}getRGB(t,e=Qt.workingColorSpace){return Qt.workingToColorSpace(He.copy(this),e),t.r=He.r,t.g=He.g,t.b=He.b,t}getStyle(t=on){Qt.workingToColorSpace(He.copy(this),t);let e=He.r,n=He.g,s=He.b;return t!==on?`color(${t} ${e.toFixed(3)} ${n.toFixed(3)} ${s.toFixed(3)})`:`rgb(${Math.round(e*255)},${Math.round(n*255)},${Math.round(s*255)})`}offsetHSL(t,e,n){return this.getHSL(_i),this.setHSL(_i.h+t,_i.s+e,_i.l+n)}add(t){return this.r+=t.r,this.g+=t.g,this.b+=t.b,this}addColors(t,e){return this.r=t.r+e.r,this.g=t.g+e.g,this.b=t.b+e.b,this}addScalar(t){return this.r+=t,this.g+=t,this.b+=t,this}sub(t){return this.r=Math.max(0,this.r-t.r),this.g=Math.max(0,this.g-t.g),this.b=Math.max(0,this.b-t.b),this}multiply(t){return this.r*=t.r,this.g*=t.g,this.b*=t.b,this}multiplyScalar(t){return this.r*=t,this.g*=t,this.b*=t,this}lerp(t,e){return this.r+=(t.r-this.r)*e,this.g+=(t.g-this.g)*e,this.b+=(t.b-this.b)*e,this}lerpColors(t,e,n){return this.r=t.r+(e.r-t.r)*n,this.g=t.g+(e.g-t.g)*n,this.b=t.b+(e.b-t.b)*n,this}lerpHSL(t,e){this.getHSL(_i),t.getHSL(Xo);let n=hr(_i.h,Xo.h,e),s=hr(_i.s,Xo.s,e),r=hr(_i.l,Xo.l,e);return this.setHSL(n,s,r),this}setFromVector3(t){return this.r=t.x,this.g=t.y,this.b=t.z,this}applyMatrix3(t){let e=this.r,n=this.g,s=this.b,r=t.elements;return this.r=r[0]*e+r[3]*n+r[6]*s,this.g=r[1]*e+r[4]*n+r[7]*s,this.b=r[2]*e+r[5]*n+r[8]*s,this}equals(t){return t.r===this.r&&t.g===this.g&&t.b===this.b}fromArray(t,e=0){return this.r=t[e],this.g=t[e+1],this.b=t[e+2],this}toArray(t=[],e=0){return t[e]=this.r,t[e+1]=this.g,t[e+2]=this.b,t}fromBufferAttribute(t,e){return this.r=t.getX(e),this.g=t.getY(e),this.b=t.getZ(e),this}toJSON(){return this.getHex()}*[Symbol.iterator](){yield this.r,yield this.g,yield this.b}},He=new Dt;Dt.NAMES=op;var xr=class extends ke{constructor(){super(),this.isScene=!0,this.type="Scene",this.background=null,this.environment=null,this.fog=null,this.backgroundBlurriness=0,this.backgroundIntensity=1,this.backgroundRotation=new Bn,this.environmentIntensity=1,this.environmentRotation=new Bn,this.overrideMaterial=null,typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}copy(t,e){return super.copy(t,e),this.background=t.background!==null?t.background.clone():null,this.environment=t.environment!==null?t.environment.clone():null,this.fog=t.fog!==null?t.fog.clone():null,this.backgroundBlurriness=t.backgroundBlurriness,this.backgroundIntensity=t.backgroundIntensity,this.backgroundRotation.copy(t.backgroundRotation),this.environmentIntensity=t.environmentIntensity,this.environmentRotation.copy(t.environmentRotation),this.overrideMaterial=t.overrideMaterial!==null?t.overrideMaterial.clone():null,this.matrixAutoUpdate=t.matrixAutoUpdate,this}toJSON(t){let e=super.toJSON(t);return this.fog!==null&&(e.object.fog=this.fog.toJSON()),e.object.backgroundBlurriness=this.backgroundBlurriness,e.object.backgroundIntensity=this.backgroundIntensity,e.object.backgroundRotation=this.backgroundRotation.toArray(),e.object.environmentIntensity=this.environmentIntensity,e.object.environmentRotation=this.environmentRotation.toArray(),e}},An=new I,ei=new I,Vc=new I,ni=new I,bs=new I,Ms=new I,nf=new I,Hc=new I,Gc=new I,Wc=new I,Xc=new me,$c=new me,qc=new me,wi=class i{constructor(t=new I,e=new I,n=new I){this.a=t,this.b=e,this.c=n}static getNormal(t,e,n,s){s.subVectors(n,e),An.subVectors(t,e),s.cross(An);let r=s.lengthSq();return r>0?s.multiplyScalar(1/Math.sqrt(r)):s.set(0,0,0)}static getBarycoord(t,e,n,s,r){An.subVectors(s,e),ei.subVectors(n,e),Vc.subVectors(t,e);let o=An.dot(An),a=An.dot(ei),l=An.dot(Vc),c=ei.dot(ei),h=ei.dot(Vc),u=o*c-a*a;if(u===0)return r.set(0,0,0),null;let d=1/u,f=(c*l-a*h)*d,g=(o*h-a*l)*d;return r.set(1-f-g,g,f)}static containsPoint(t,e,n,s){return this.getBarycoord(t,e,n,s,ni)===null?!1:ni.x>=0&&ni.y>=0&&ni.x+ni.y<=1}static getInterpolation(t,e,n,s,r,o,a,l){return this.getBarycoord(t,e,n,s,ni)===null?(l.x=0,l.y=0,"z"in l&&(l.z=0),"w"in l&&(l.w=0),null):(l.setScalar(0),l.addScaledVector(r,ni.x),l.addScaledVector(o,ni.y),l.addScaledVector(a,ni.z),l)}static getInterpolatedAttribute(t,e,n,s,r,o){return Xc.setScalar(0),$c.setScalar(0),qc.setScalar(0),Xc.fromBufferAttribute(t,e),$c.fromBufferAttribute(t,n),qc.fromBufferAttribute(t,s),o.setScalar(0),o.addScaledVector(Xc,r.x),o.addScaledVector($c,r.y),o.addScaledVector(qc,r.z),o}static isFrontFacing(t,e,n,s){return An.subVectors(n,e),ei.subVectors(t,e),An.cross(ei).dot(s)<0}set(t,e,n){return this.a.copy(t),this.b.copy(e),this.c.copy(n),this}setFromPointsAndIndices(t,e,n,s){return this.a.copy(t[e]),this.b.copy(t[n]),this.c.copy(t[s]),this}setFromAttributeAndIndices(t,e,n,s){return this.a.fromBufferAttribute(t,e),this.b.fromBufferAttribute(t,n),this.c.fromBufferAttribute(t,s),this}clone(){return new this.constructor().copy(this)}copy(t){return this.a.copy(t.a),this.b.copy(t.b),this.c.copy(t.c),this}getArea(){return An.subVectors(this.c,this.b),ei.subVectors(this.a,this.b),An.cross(ei).length()*.5}getMidpoint(t){return t.addVectors(this.a,this.b).add(this.c).multiplyScalar(1/3)}getNormal(t){return i.getNormal(this.a,this.b,this.c,t)}getPlane(t){return t.setFromCoplanarPoints(this.a,this.b,this.c)}getBarycoord(t,e){return i.getBarycoord(t,this.a,this.b,this.c,e)}getInterpolation(t,e,n,s,r){return i.getInterpolation(t,this.a,this.b,this.c,e,n,s,r)}containsPoint(t){return i.containsPoint(t,this.a,this.b,this.c)}isFrontFacing(t){return i.isFrontFacing(this.a,this.b,this.c,t)}intersectsBox(t){return t.intersectsTriangle(this)}closestPointToPoint(t,e){let n=this.a,s=this.b,r=this.c,o,a;bs.subVectors(s,n),Ms.subVectors(r,n),Hc.subVectors(t,n);let l=bs.dot(Hc),c=Ms.dot(Hc);if(l<=0&&c<=0)return e.copy(n);Gc.subVectors(t,s);let h=bs.dot(Gc),u=Ms.dot(Gc);if(h>=0&&u<=h)return e.copy(s);let d=l*u-h*c;if(d<=0&&l>=0&&h<=0&&l-h>0)return o=l/(l-h),e.copy(n).addScaledVector(bs,o);Wc.subVectors(t,r);let f=bs.dot(Wc),g=Ms.dot(Wc);if(g>=0&&f<=g)return e.copy(r);let y=f*c-l*g;if(y<=0&&c>=0&&g<=0)return a=c/(c-g),e.copy(n).addScaledVector(Ms,a);let m=h*g-f*u;if(m<=0&&u-h>=0&&f-g>=0)return nf.subVectors(r,s),a=(u-h)/(u-h+(f-g)),e.copy(s).addScaledVector(nf,a);let p=1/(m+y+d);return o=y*p,a=d*p,e.copy(n).addScaledVector(bs,o).addScaledVector(Ms,a)}equals(t){return t.a.equals(this.a)&&t.b.equals(this.b)&&t.c.equals(this.c)}},Ze=class{constructor(t=new I(1/0,1/0,1/0),e=new I(-1/0,-1/0,-1/0)){this.isBox3=!0,this.min=t,this.max=e}set(t,e){return this.min.copy(t),this.max.copy(e),this}setFromArray(t){this.makeEmpty();for(let e=0,n=t.length;e<n;e+=3)this.expandByPoint(Cn.fromArray(t,e));return this}setFromBufferAttribute(t){this.makeEmpty();for(let e=0,n=t.count;e<n;e++)this.expandByPoint(Cn.fromBufferAttribute(t,e));return this}setFromPoints(t){this.makeEmpty();for(let e=0,n=t.length;e<n;e++)this.expandByPoint(t[e]);return this}setFromCenterAndSize(t,e){let n=Cn.copy(e).multiplyScalar(.5);return this.min.copy(t).sub(n),this.max.copy(t).add(n),this}setFromObject(t,e=!1){return this.makeEmpty(),this.expandByObject(t,e)}clone(){return new this.constructor().copy(this)}copy(t){return this.min.copy(t.min),this.max.copy(t.max),this}makeEmpty(){return this.min.x=this.min.y=this.min.z=1/0,this.max.x=this.max.y=this.max.z=-1/0,this}isEmpty(){return this.max.x<this.min.x||this.max.y<this.min.y||this.max.z<this.min.z}getCenter(t){return this.isEmpty()?t.set(0,0,0):t.addVectors(this.min,this.max).multiplyScalar(.5)}getSize(t){return this.isEmpty()?t.set(0,0,0):t.subVectors(this.max,this.min)}expandByPoint(t){return this.min.min(t),this.max.max(t),this}expandByVector(t){return this.min.sub(t),this.max.add(t),this}expandByScalar(t){return this.min.addScalar(-t),this.max.addScalar(t),this}expandByObject(t,e=!1){t.updateWorldMatrix(!1,!1);let n=t.geometry;if(n!==void 0){let r=n.getAttribute("position");if(e===!0&&r!==void 0&&t.isInstancedMesh!==!0&&t.isBatchedMesh!==!0)for(let o=0,a=r.count;o<a;o++)t.isMesh===!0?t.getVertexPosition(o,Cn):Cn.fromBufferAttribute(r,o),Cn.applyMatrix4(t.matrixWorld),this.expandByPoint(Cn);else t.boundingBox!==void 0?(t.boundingBox===null&&t.computeBoundingBox(),$o.copy(t.boundingBox)):(n.boundingBox===null&&n.computeBoundingBox(),$o.copy(n.boundingBox)),$o.applyMatrix4(t.matrixWorld),this.union($o)}let s=t.children;for(let r=0,o=s.length;r<o;r++)this.expandByObject(s[r],e);return this}containsPoint(t){return t.x>=this.min.x&&t.x<=this.max.x&&t.y>=this.min.y&&t.y<=this.max.y&&t.z>=this.min.z&&t.z<=this.max.z}containsBox(t){return this.min.x<=t.min.x&&t.max.x<=this.max.x&&this.min.y<=t.min.y&&t.max.y<=this.max.y&&this.min.z<=t.min.z&&t.max.z<=this.max.z}getParameter(t,e){return e.set((t.x-this.min.x)/(this.max.x-this.min.x),(t.y-this.min.y)/(this.max.y-this.min.y),(t.z-this.min.z)/(this.max.z-this.min.z))}intersectsBox(t){return t.max.x>=this.min.x&&t.min.x<=this.max.x&&t.max.y>=this.min.y&&t.min.y<=this.max.y&&t.max.z>=this.min.z&&t.min.z<=this.max.z}intersectsSphere(t){return this.clampPoint(t.center,Cn),Cn.distanceToSquared(t.center)<=t.radius*t.radius}intersectsPlane(t){let e,n;return t.normal.x>0?(e=t.normal.x*this.min.x,n=t.normal.x*this.max.x):(e=t.normal.x*this.max.x,n=t.normal.x*this.min.x),t.normal.y>0?(e+=t.normal.y*this.min.y,n+=t.normal.y*this.max.y):(e+=t.normal.y*this.max.y,n+=t.normal.y*this.min.y),t.normal.z>0?(e+=t.normal.z*this.min.z,n+=t.normal.z*this.max.z):(e+=t.normal.z*this.max.z,n+=t.normal.z*this.min.z),e<=-t.constant&&n>=-t.constant}intersectsTriangle(t){if(this.isEmpty())return!1;this.getCenter(nr),qo.subVectors(this.max,nr),Ss.subVectors(t.a,nr),ws.subVectors(t.b,nr),Ts.subVectors(t.c,nr),bi.subVectors(ws,Ss),Mi.subVectors(Ts,ws),qi.subVectors(Ss,Ts);let e=[0,-bi.z,bi.y,0,-Mi.z,Mi.y,0,-qi.z,qi.y,bi.z,0,-bi.x,Mi.z,0,-Mi.x,qi.z,0,-qi.x,-bi.y,bi.x,0,-Mi.y,Mi.x,0,-qi.y,qi.x,0];return!Yc(e,Ss,ws,Ts,qo)||(e=[1,0,0,0,1,0,0,0,1],!Yc(e,Ss,ws,Ts,qo))?!1:(Yo.crossVectors(bi,Mi),e=[Yo.x,Yo.y,Yo.z],Yc(e,Ss,ws,Ts,qo))}clampPoint(t,e){return e.copy(t).clamp(this.min,this.max)}distanceToPoint(t){return this.clampPoint(t,Cn).distanceTo(t)}getBoundingSphere(t){return this.isEmpty()?t.makeEmpty():(this.getCenter(t.center),t.radius=this.getSize(Cn).length()*.5),t}intersect(t){return this.min.max(t.min),this.max.min(t.max),this.isEmpty()&&this.makeEmpty(),this}union(t){return this.min.min(t.min),this.max.max(t.max),this}applyMatrix4(t){return this.isEmpty()?this:(ii[0].set(this.min.x,this.min.y,this.min.z).applyMatrix4(t),ii[1].set(this.min.x,this.min.y,this.max.z).applyMatrix4(t),ii[2].set(this.min.x,this.max.y,this.min.z).applyMatrix4(t),ii[3].set(this.min.x,this.max.y,this.max.z).applyMatrix4(t),ii[4].set(this.max.x,this.min.y,this.min.z).applyMatrix4(t),ii[5].set(this.max.x,this.min.y,this.max.z).applyMatrix4(t),ii[6].set(this.max.x,this.max.y,this.min.z).applyMatrix4(t),ii[7].set(this.max.x,this.max.y,this.max.z).applyMatrix4(t),this.setFromPoints(ii),this)}translate(t){return this.min.add(t),this.max.add(t),this}equals(t){return t.min.equals(this.min)&&t.max.equals(this.max)}toJSON(){return{min:this.min.toArray(),max:this.max.toArray()}}fromJSON(t){return this.min.fromArray(t.min),this.max.fromArray(t.max),this}},ii=[new I,new I,new I,new I,new I,new I,new I,new I],Cn=new I,$o=new Ze,Ss=new I,ws=new I,Ts=new I,bi=new I,Mi=new I,qi=new I,nr=new I,qo=new I,Yo=new I,Yi=new I;function Yc(i,t,e,n,s){for(let r=0,o=i.length-3;r<=o;r+=3){Yi.fromArray(i,r);let a=s.x*Math.abs(Yi.x)+s.y*Math.abs(Yi.y)+s.z*Math.abs(Yi.z),l=t.dot(Yi),c=e.dot(Yi),h=n.dot(Yi);if(Math.max(-Math.max(l,c,h),Math.min(l,c,h))>a)return!1}return!0}var Me=new I,Zo=new Nt,l0=0,qe=class extends Rn{constructor(t,e,n=!1){if(super(),Array.isArray(t))throw new TypeError("THREE.BufferAttribute: array should be a Typed Array.");this.isBufferAttribute=!0,Object.defineProperty(this,"id",{value:l0++}),this.name="",this.array=t,this.itemSize=e,this.count=t!==void 0?t.length/e:0,this.normalized=n,this.usage=Qf,this.updateRanges=[],this.gpuType=_n,this.version=0,this._normalizationScale=t!==void 0?Fh(t):void 0}onUploadCallback(){}set needsUpdate(t){t===!0&&this.version++}setUsage(t){return this.usage=t,this}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}copy(t){return this.name=t.name,this.array=new t.array.constructor(t.array),this.itemSize=t.itemSize,this.count=t.count,this.normalized=t.normalized,this.usage=t.usage,this.gpuType=t.gpuType,this._normalizationScale=t._normalizationScale,this}copyAt(t,e,n){t*=this.itemSize,n*=e.itemSize;for(let s=0,r=this.itemSize;s<r;s++)this.array[t+s]=e.array[n+s];return this}copyArray(t){return this.array.set(t),this}applyMatrix3(t){if(this.itemSize===2)for(let e=0,n=this.count;e<n;e++)Zo.fromBufferAttribute(this,e),Zo.applyMatrix3(t),this.setXY(e,Zo.x,Zo.y);else if(this.itemSize===3)for(let e=0,n=this.count;e<n;e++)Me.fromBufferAttribute(this,e),Me.applyMatrix3(t),this.setXYZ(e,Me.x,Me.y,Me.z);return this}applyMatrix4(t){for(let e=0,n=this.count;e<n;e++)Me.fromBufferAttribute(this,e),Me.applyMatrix4(t),this.setXYZ(e,Me.x,Me.y,Me.z);return this}applyNormalMatrix(t){for(let e=0,n=this.count;e<n;e++)Me.fromBufferAttribute(this,e),Me.applyNormalMatrix(t),this.setXYZ(e,Me.x,Me.y,Me.z);return this}transformDirection(t){for(let e=0,n=this.count;e<n;e++)Me.fromBufferAttribute(this,e),Me.transformDirection(t),this.setXYZ(e,Me.x,Me.y,Me.z);return this}set(t,e=0){return this.array.set(t,e),this}getComponent(t,e){let n=this.array[t*this.itemSize+e];return this.normalized&&(n=this._denormalize(n)),n}setComponent(t,e,n){return this.normalized&&(n=this._normalize(n)),this.array[t*this.itemSize+e]=n,this}getX(t){let e=this.array[t*this.itemSize];return this.normalized&&(e=this._denormalize(e)),e}setX(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize]=e,this}getY(t){let e=this.array[t*this.itemSize+1];return this.normalized&&(e=this._denormalize(e)),e}setY(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+1]=e,this}getZ(t){let e=this.array[t*this.itemSize+2];return this.normalized&&(e=this._denormalize(e)),e}setZ(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+2]=e,this}getW(t){let e=this.array[t*this.itemSize+3];return this.normalized&&(e=this._denormalize(e)),e}setW(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+3]=e,this}setXY(t,e,n){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),n=this._normalize(n)),this.array[t+0]=e,this.array[t+1]=n,this}setXYZ(t,e,n,s){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),n=this._normalize(n),s=this._normalize(s)),this.array[t+0]=e,this.array[t+1]=n,this.array[t+2]=s,this}setXYZW(t,e,n,s,r){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),n=this._normalize(n),s=this._normalize(s),r=this._normalize(r)),this.array[t+0]=e,this.array[t+1]=n,this.array[t+2]=s,this.array[t+3]=r,this}onUpload(t){return this.onUploadCallback=t,this}clone(){return new this.constructor(this.array,this.itemSize).copy(this)}toJSON(){let t={itemSize:this.itemSize,type:this.array.constructor.name,array:Array.from(this.array),normalized:this.normalized};return t.name=this.name,t.usage=this.usage,t.gpuType=this.gpuType,t}dispose(){this.dispatchEvent({type:"dispose"})}_denormalize(t){let e=this._normalizationScale;return e!==void 0?Math.max(t/e,-1):sp(t,this.array)}_normalize(t){let e=this._normalizationScale;return e!==void 0?Math.round(t*e):rp(t,this.array)}};var vr=class extends qe{constructor(t,e,n){super(new Uint16Array(t),e,n)}};var yr=class extends qe{constructor(t,e,n){super(new Uint32Array(t),e,n)}};var ae=class extends qe{constructor(t,e,n){super(new Float32Array(t),e,n)}},c0=new Ze,ir=new I,Zc=new I,ai=class{constructor(t=new I,e=-1){this.isSphere=!0,this.center=t,this.radius=e}set(t,e){return this.center.copy(t),this.radius=e,this}setFromPoints(t,e){let n=this.center;e!==void 0?n.copy(e):c0.setFromPoints(t).getCenter(n);let s=0;for(let r=0,o=t.length;r<o;r++)s=Math.max(s,n.distanceToSquared(t[r]));return this.radius=Math.sqrt(s),this}copy(t){return this.center.copy(t.center),this.radius=t.radius,this}isEmpty(){return this.radius<0}makeEmpty(){return this.center.set(0,0,0),this.radius=-1,this}containsPoint(t){return t.distanceToSquared(this.center)<=this.radius*this.radius}distanceToPoint(t){return t.distanceTo(this.center)-this.radius}intersectsSphere(t){let e=this.radius+t.radius;return t.center.distanceToSquared(this.center)<=e*e}intersectsBox(t){return t.intersectsSphere(this)}intersectsPlane(t){return Math.abs(t.distanceToPoint(this.center))<=this.radius}clampPoint(t,e){let n=this.center.distanceToSquared(t);return e.copy(t),n>this.radius*this.radius&&(e.sub(this.center).normalize(),e.multiplyScalar(this.radius).add(this.center)),e}getBoundingBox(t){return this.isEmpty()?(t.makeEmpty(),t):(t.set(this.center,this.center),t.expandByScalar(this.radius),t)}applyMatrix4(t){return this.center.applyMatrix4(t),this.radius=this.radius*t.getMaxScaleOnAxis(),this}translate(t){return this.center.add(t),this}expandByPoint(t){if(this.isEmpty())return this.center.copy(t),this.radius=0,this;ir.subVectors(t,this.center);let e=ir.lengthSq();if(e>this.radius*this.radius){let n=Math.sqrt(e),s=(n-this.radius)*.5;this.center.addScaledVector(ir,s/n),this.radius+=s}return this}union(t){return t.isEmpty()?this:this.isEmpty()?(this.copy(t),this):(this.center.equals(t.center)===!0?this.radius=Math.max(this.radius,t.radius):(Zc.subVectors(t.center,this.center).setLength(t.radius),this.expandByPoint(ir.copy(t.center).add(Zc)),this.expandByPoint(ir.copy(t.center).sub(Zc))),this)}equals(t){return t.center.equals(this.center)&&t.radius===this.radius}clone(){return new this.constructor().copy(this)}toJSON(){return{radius:this.radius,center:this.center.toArray()}}fromJSON(t){return this.radius=t.radius,this.center.fromArray(t.center),this}},h0=0,vn=new Zt,Kc=new ke,Es=new I,rn=new Ze,sr=new Ze,Le=new I,Te=class i extends Rn{constructor(){super(),this.isBufferGeometry=!0,Object.defineProperty(this,"id",{value:h0++}),this.uuid=qs(),this.name="",this.type="BufferGeometry",this.index=null,this.indirect=null,this.indirectOffset=0,this.attributes={},this.morphAttributes={},this.morphTargetsRelative=!1,this.groups=[],this.boundingBox=null,this.boundingSphere=null,this.drawRange={start:0,count:1/0},this.userData={},this._transformed=!1}getIndex(){return this.index}setIndex(t){return Array.isArray(t)?this.index=new(Ug(t)?yr:vr)(t,1):this.index=t,this}setIndirect(t,e=0){return this.indirect=t,this.indirectOffset=e,this}getIndirect(){return this.indirect}getAttribute(t){return this.attributes[t]}setAttribute(t,e){return this.attributes[t]=e,this}deleteAttribute(t){return delete this.attributes[t],this}hasAttribute(t){return this.attributes[t]!==void 0}addGroup(t,e,n=0){this.groups.push({start:t,count:e,materialIndex:n})}clearGroups(){this.groups=[]}setDrawRange(t,e){this.drawRange.start=t,this.drawRange.count=e}applyMatrix4(t){let e=this.attributes.position;e!==void 0&&(e.applyMatrix4(t),e.needsUpdate=!0);let n=this.attributes.normal;if(n!==void 0){let r=new Ft().getNormalMatrix(t);n.applyNormalMatrix(r),n.needsUpdate=!0}let s=this.attributes.tangent;return s!==void 0&&(s.transformDirection(t),s.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this._transformed=!0,this}applyQuaternion(t){return vn.makeRotationFromQuaternion(t),this.applyMatrix4(vn),this}rotateX(t){return vn.makeRotationX(t),this.applyMatrix4(vn),this}rotateY(t){return vn.makeRotationY(t),this.applyMatrix4(vn),this}rotateZ(t){return vn.makeRotationZ(t),this.applyMatrix4(vn),this}translate(t,e,n){return vn.makeTranslation(t,e,n),this.applyMatrix4(vn),this}scale(t,e,n){return vn.makeScale(t,e,n),this.applyMatrix4(vn),this}lookAt(t){return Kc.lookAt(t),Kc.updateMatrix(),this.applyMatrix4(Kc.matrix),this}center(){return this.computeBoundingBox(),this.boundingBox.getCenter(Es).negate(),this.translate(Es.x,Es.y,Es.z),this}setFromPoints(t){let e=this.getAttribute("position");if(e===void 0){let n=[];for(let s=0,r=t.length;s<r;s++){let o=t[s];n.push(o.x,o.y,o.z||0)}this.setAttribute("position",new ae(n,3))}else{let n=Math.min(t.length,e.count);for(let s=0;s<n;s++){let r=t[s];e.setXYZ(s,r.x,r.y,r.z||0)}t.length>e.count&&Ct("BufferGeometry: Buffer size too small for points data. Use .dispose() and create a new geometry."),e.needsUpdate=!0}return this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new Ze);let t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){Ut("BufferGeometry.computeBoundingBox(): GLBufferAttribute requires a manual bounding box.",this),this.boundingBox.set(new I(-1/0,-1/0,-1/0),new I(1/0,1/0,1/0));return}if(t!==void 0){if(this.boundingBox.setFromBufferAttribute(t),e)for(let n=0,s=e.length;n<s;n++){let r=e[n];rn.setFromBufferAttribute(r),this.morphTargetsRelative?(Le.addVectors(this.boundingBox.min,rn.min),this.boundingBox.expandByPoint(Le),Le.addVectors(this.boundingBox.max,rn.max),this.boundingBox.expandByPoint(Le)):(this.boundingBox.expandByPoint(rn.min),this.boundingBox.expandByPoint(rn.max))}}else this.boundingBox.makeEmpty();(isNaN(this.boundingBox.min.x)||isNaN(this.boundingBox.min.y)||isNaN(this.boundingBox.min.z))&&Ut('BufferGeometry.computeBoundingBox(): Computed min/max have NaN values. The "position" attribute is likely to have NaN values.',this)}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new ai);let t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){Ut("BufferGeometry.computeBoundingSphere(): GLBufferAttribute requires a manual bounding sphere.",this),this.boundingSphere.set(new I,1/0);return}if(t){let n=this.boundingSphere.center;if(rn.setFromBufferAttribute(t),e)for(let r=0,o=e.length;r<o;r++){let a=e[r];sr.setFromBufferAttribute(a),this.morphTargetsRelative?(Le.addVectors(rn.min,sr.min),rn.expandByPoint(Le),Le.addVectors(rn.max,sr.max),rn.expandByPoint(Le)):(rn.expandByPoint(sr.min),rn.expandByPoint(sr.max))}rn.getCenter(n);let s=0;for(let r=0,o=t.count;r<o;r++)Le.fromBufferAttribute(t,r),s=Math.max(s,n.distanceToSquared(Le));if(e)for(let r=0,o=e.length;r<o;r++){let a=e[r],l=this.morphTargetsRelative;for(let c=0,h=a.count;c<h;c++)Le.fromBufferAttribute(a,c),l&&(Es.fromBufferAttribute(t,c),Le.add(Es)),s=Math.max(s,n.distanceToSquared(Le))}this.boundingSphere.radius=Math.sqrt(s),isNaN(this.boundingSphere.radius)&&Ut('BufferGeometry.computeBoundingSphere(): Computed radius is NaN. The "position" attribute is likely to have NaN values.',this)}}computeTangents(){let t=this.index,e=this.attributes;if(t===null||e.position===void 0||e.normal===void 0||e.uv===void 0){Ut("BufferGeometry: .computeTangents() failed. Missing required attributes (index, position, normal or uv)");return}let n=e.position,s=e.normal,r=e.uv,o=this.getAttribute("tangent");(o===void 0||o.count!==n.count)&&(o=new qe(new Float32Array(4*n.count),4),this.setAttribute("tangent",o));let a=[],l=[],c=new Uint8Array(n.count);for(let U=0;U<n.count;U++)a[U]=new I,l[U]=new I;let h=new I,u=new I,d=new I,f=new Nt,g=new Nt,y=new Nt,m=new I,p=new I;function b(U,P,O){c[U]=c[P]=c[O]=1,h.fromBufferAttribute(n,U),u.fromBufferAttribute(n,P),d.fromBufferAttribute(n,O),f.fromBufferAttribute(r,U),g.fromBufferAttribute(r,P),y.fromBufferAttribute(r,O),u.sub(h),d.sub(h),g.sub(f),y.sub(f);let F=1/(g.x*y.y-y.x*g.y);isFinite(F)&&(m.copy(u).multiplyScalar(y.y).addScaledVector(d,-g.y).multiplyScalar(F),p.copy(d).multiplyScalar(g.x).addScaledVector(u,-y.x).multiplyScalar(F),a[U].add(m),a[P].add(m),a[O].add(m),l[U].add(p),l[P].add(p),l[O].add(p))}let E=this.groups;E.length===0&&(E=[{start:0,count:t.count}]);for(let U=0,P=E.length;U<P;++U){let O=E[U],F=O.start,H=O.count;for(let L=F,W=F+H;L<W;L+=3)b(t.getX(L+0),t.getX(L+1),t.getX(L+2))}let S=new I,A=new I,T=new I,x=new I;function M(U){T.fromBufferAttribute(s,U),x.copy(T);let P=a[U];S.copy(P),S.sub(T.multiplyScalar(T.dot(P))).normalize(),A.crossVectors(x,P);let F=A.dot(l[U])<0?-1:1;o.setXYZW(U,S.x,S.y,S.z,F)}for(let U=0,P=n.count;U<P;++U)c[U]&&M(U);this._transformed=!0}computeVertexNormals(){let t=this.index,e=this.getAttribute("position");if(e!==void 0){let n=this.getAttribute("normal");if(n===void 0||n.count!==e.count)n=new qe(new Float32Array(e.count*3),3),this.setAttribute("normal",n);else for(let d=0,f=n.count;d<f;d++)n.setXYZ(d,0,0,0);let s=new I,r=new I,o=new I,a=new I,l=new I,c=new I,h=new I,u=new I;if(t)for(let d=0,f=t.count;d<f;d+=3){let g=t.getX(d+0),y=t.getX(d+1),m=t.getX(d+2);s.fromBufferAttribute(e,g),r.fromBufferAttribute(e,y),o.fromBufferAttribute(e,m),h.subVectors(o,r),u.subVectors(s,r),h.cross(u),a.fromBufferAttribute(n,g),l.fromBufferAttribute(n,y),c.fromBufferAttribute(n,m),a.add(h),l.add(h),c.add(h),n.setXYZ(g,a.x,a.y,a.z),n.setXYZ(y,l.x,l.y,l.z),n.setXYZ(m,c.x,c.y,c.z)}else for(let d=0,f=e.count;d<f;d+=3)s.fromBufferAttribute(e,d+0),r.fromBufferAttribute(e,d+1),o.fromBufferAttribute(e,d+2),h.subVectors(o,r),u.subVectors(s,r),h.cross(u),n.setXYZ(d+0,h.x,h.y,h.z),n.setXYZ(d+1,h.x,h.y,h.z),n.setXYZ(d+2,h.x,h.y,h.z);this.normalizeNormals(),n.needsUpdate=!0}}normalizeNormals(){let t=this.attributes.normal;for(let e=0,n=t.count;e<n;e++)Le.fromBufferAttribute(t,e),Le.normalize(),t.setXYZ(e,Le.x,Le.y,Le.z)}toNonIndexed(){function t(a,l){let c=a.array,h=a.itemSize,u=a.normalized,d=new c.constructor(l.length*h),f=0,g=0;for(let y=0,m=l.length;y<m;y++){a.isInterleavedBufferAttribute?f=l[y]*a.data.stride+a.offset:f=l[y]*h;for(let p=0;p<h;p++)d[g++]=c[f++]}return new qe(d,h,u)}if(this.index===null)return Ct("BufferGeometry.toNonIndexed(): BufferGeometry is already non-indexed."),this;let e=new i,n=this.index.array,s=this.attributes;for(let a in s){let l=s[a],c=t(l,n);e.setAttribute(a,c)}let r=this.morphAttributes;for(let a in r){let l=[],c=r[a];for(let h=0,u=c.length;h<u;h++){let d=c[h],f=t(d,n);l.push(f)}e.morphAttributes[a]=l}e.morphTargetsRelative=this.morphTargetsRelative;let o=this.groups;for(let a=0,l=o.length;a<l;a++){let c=o[a];e.addGroup(c.start,c.count,c.materialIndex)}return e}toJSON(){let t={metadata:{version:4.7,type:"BufferGeometry",generator:"BufferGeometry.toJSON"}};if(t.uuid=this.uuid,t.type=this.parameters!==void 0&&this._transformed===!0?"BufferGeometry":this.type,t.name=this.name,Object.keys(this.userData).length>0&&(t.userData=this.userData),this.parameters!==void 0&&this._transformed!==!0){let l=this.parameters;for(let c in l)l[c]!==void 0&&(t[c]=l[c]);return t}t.data={attributes:{}};let e=this.index;e!==null&&(t.data.index={type:e.array.constructor.name,array:Array.prototype.slice.call(e.array)});let n=this.attributes;for(let l in n){let c=n[l];t.data.attributes[l]=c.toJSON(t.data)}let s={},r=!1;for(let l in this.morphAttributes){let c=this.morphAttributes[l],h=[];for(let u=0,d=c.length;u<d;u++){let f=c[u];h.push(f.toJSON(t.data))}h.length>0&&(s[l]=h,r=!0)}r&&(t.data.morphAttributes=s,t.data.morphTargetsRelative=this.morphTargetsRelative);let o=this.groups;o.length>0&&(t.data.groups=JSON.parse(JSON.stringify(o)));let a=this.boundingSphere;return a!==null&&(t.data.boundingSphere=a.toJSON()),t}clone(){return new this.constructor().copy(this)}copy(t){this.index=null,this.attributes={},this.morphAttributes={},this.groups=[],this.boundingBox=null,this.boundingSphere=null;let e={};this.name=t.name;let n=t.index;n!==null&&this.setIndex(n.clone());let s=t.attributes;for(let c in s){let h=s[c];this.setAttribute(c,h.clone(e))}let r=t.morphAttributes;for(let c in r){let h=[],u=r[c];for(let d=0,f=u.length;d<f;d++)h.push(u[d].clone(e));this.morphAttributes[c]=h}this.morphTargetsRelative=t.morphTargetsRelative;let o=t.groups;for(let c=0,h=o.length;c<h;c++){let u=o[c];this.addGroup(u.start,u.count,u.materialIndex)}let a=t.boundingBox;a!==null&&(this.boundingBox=a.clone());let l=t.boundingSphere;return l!==null&&(this.boundingSphere=l.clone()),this.drawRange.start=t.drawRange.start,this.drawRange.count=t.drawRange.count,this.userData=t.userData,this._transformed=t._transformed,this}dispose(){this.dispatchEvent({type:"dispose"})}};var Jc=new I,u0=new I,d0=new Ft,an=class{constructor(t=new I(1,0,0),e=0){this.isPlane=!0,this.normal=t,this.constant=e}set(t,e){return this.normal.copy(t),this.constant=e,this}setComponents(t,e,n,s){return this.normal.set(t,e,n),this.constant=s,this}setFromNormalAndCoplanarPoint(t,e){return this.normal.copy(t),this.constant=-e.dot(this.normal),this}setFromCoplanarPoints(t,e,n){let s=Jc.subVectors(n,e).cross(u0.subVectors(t,e)).normalize();return this.setFromNormalAndCoplanarPoint(s,t),this}copy(t){return this.normal.copy(t.normal),this.constant=t.constant,this}normalize(){let t=1/this.normal.length();return this.normal.multiplyScalar(t),this.constant*=t,this}negate(){return this.constant*=-1,this.normal.negate(),this}distanceToPoint(t){return this.normal.dot(t)+this.constant}distanceToSphere(t){return this.distanceToPoint(t.center)-t.radius}projectPoint(t,e){return e.copy(t).addScaledVector(this.normal,-this.distanceToPoint(t))}intersectLine(t,e,n=!0){let s=t.delta(Jc),r=this.normal.dot(s);if(r===0)return this.distanceToPoint(t.start)===0?e.copy(t.start):null;let o=-(t.start.dot(this.normal)+this.constant)/r;return n===!0&&(o<0||o>1)?null:e.copy(t.start).addScaledVector(s,o)}intersectsLine(t){let e=this.distanceToPoint(t.start),n=this.distanceToPoint(t.end);return e<0&&n>0||n<0&&e>0}intersectsBox(t){return t.intersectsPlane(this)}intersectsSphere(t){return t.intersectsPlane(this)}coplanarPoint(t){return t.copy(this.normal).multiplyScalar(-this.constant)}applyMatrix4(t,e){let n=e||d0.getNormalMatrix(t),s=this.coplanarPoint(Jc).applyMatrix4(t),r=this.normal.applyMatrix3(n).normalize();return this.constant=-s.dot(r),this}translate(t){return this.constant-=t.dot(this.normal),this}equals(t){return t.normal.equals(this.normal)&&t.constant===this.constant}clone(){return new this.constructor().copy(this)}toJSON(){return{normal:this.normal.toArray(),constant:this.constant}}fromJSON(t){return this.normal.fromArray(t.normal),this.constant=t.constant,this}},f0=0,Pn=class extends Rn{constructor(){super(),this.isMaterial=!0,Object.defineProperty(this,"id",{value:f0++}),this.uuid=qs(),this.name="",this.type="Material",this.blending=Ws,this.side=Ni,this.vertexColors=!1,this.opacity=1,this.transparent=!1,this.alphaHash=!1,this.blendSrc=fh,this.blendDst=ph,this.blendEquation=is,this.blendSrcAlpha=null,this.blendDstAlpha=null,this.blendEquationAlpha=null,this.blendColor=new Dt(0,0,0),this.blendAlpha=0,this.depthFunc=Ls,this.depthTest=!0,this.depthWrite=!0,this.stencilWriteMask=255,this.stencilFunc=qf,this.stencilRef=0,this.stencilFuncMask=255,this.stencilFail=fa,this.stencilZFail=fa,this.stencilZPass=fa,this.stencilWrite=!1,this.clippingPlanes=null,this.clipIntersection=!1,this.clipShadows=!1,this.shadowSide=null,this.colorWrite=!0,this.precision=null,this.polygonOffset=!1,this.polygonOffsetFactor=0,this.polygonOffsetUnits=0,this.dithering=!1,this.alphaToCoverage=!1,this.premultipliedAlpha=!1,this.forceSinglePass=!1,this.allowOverride=!0,this.visible=!0,this.toneMapped=!0,this.userData={},this.version=0,this._alphaTest=0}get alphaTest(){return this._alphaTest}set alphaTest(t){this._alphaTest>0!=t>0&&this.version++,this._alphaTest=t}onBeforeRender(){}onBeforeCompile(){}customProgramCacheKey(){return this.onBeforeCompile.toString()}setValues(t){if(t!==void 0)for(let e in t){let n=t[e];if(n===void 0){Ct(`Material: parameter '${e}' has value of undefined.`);continue}let s=this[e];if(s===void 0){Ct(`Material: '${e}' is not a property of THREE.${this.type}.`);continue}s&&s.isColor?s.set(n):s&&s.isVector2&&n&&n.isVector2||s&&s.isEuler&&n&&n.isEuler||s&&s.isVector3&&n&&n.isVector3?s.copy(n):this[e]=n}}toJSON(t){let e=t===void 0||typeof t=="string";e&&(t={textures:{},images:{}});let n={metadata:{version:4.7,type:"Material",generator:"Material.toJSON"}};n.uuid=this.uuid,n.type=this.type,n.blending=this.blending,n.side=this.side,n.shadowSide=this.shadowSide,n.vertexColors=this.vertexColors,n.opacity=this.opacity,n.transparent=this.transparent,n.blendSrc=this.blendSrc,n.blendDst=this.blendDst,n.blendEquation=this.blendEquation,n.blendSrcAlpha=this.blendSrcAlpha,n.blendDstAlpha=this.blendDstAlpha,n.blendEquationAlpha=this.blendEquationAlpha,n.blendColor=this.blendColor.getHex(),n.blendAlpha=this.blendAlpha,n.depthFunc=this.depthFunc,n.depthTest=this.depthTest,n.depthWrite=this.depthWrite,n.colorWrite=this.colorWrite,n.clipIntersection=this.clipIntersection,n.clipShadows=this.clipShadows,n.stencilWriteMask=this.stencilWriteMask,n.stencilFunc=this.stencilFunc,n.stencilRef=this.stencilRef,n.stencilFuncMask=this.stencilFuncMask,n.stencilFail=this.stencilFail,n.stencilZFail=this.stencilZFail,n.stencilZPass=this.stencilZPass,n.stencilWrite=this.stencilWrite,n.polygonOffset=this.polygonOffset,n.polygonOffsetFactor=this.polygonOffsetFactor,n.polygonOffsetUnits=this.polygonOffsetUnits,n.dithering=this.dithering,n.alphaTest=this.alphaTest,n.alphaHash=this.alphaHash,n.alphaToCoverage=this.alphaToCoverage,n.premultipliedAlpha=this.premultipliedAlpha,n.forceSinglePass=this.forceSinglePass,n.allowOverride=this.allowOverride,n.visible=this.visible,n.toneMapped=this.toneMapped,n.name=this.name,this.color&&this.color.isColor&&(n.color=this.color.getHex()),this.roughness!==void 0&&(n.roughness=this.roughness),this.metalness!==void 0&&(n.metalness=this.metalness),this.sheen!==void 0&&(n.sheen=this.sheen),this.sheenColor&&this.sheenColor.isColor&&(n.sheenColor=this.sheenColor.getHex()),this.sheenRoughness!==void 0&&(n.sheenRoughness=this.sheenRoughness),this.emissive&&this.emissive.isColor&&(n.emissive=this.emissive.getHex()),this.emissiveIntensity!==void 0&&(n.emissiveIntensity=this.emissiveIntensity),this.specular&&this.specular.isColor&&(n.specular=this.specular.getHex()),this.specularIntensity!==void 0&&(n.specularIntensity=this.specularIntensity),this.specularColor&&this.specularColor.isColor&&(n.specularColor=this.specularColor.getHex()),this.shininess!==void 0&&(n.shininess=this.shininess),this.clearcoat!==void 0&&(n.clearcoat=this.clearcoat),this.clearcoatRoughness!==void 0&&(n.clearcoatRoughness=this.clearcoatRoughness),this.diffuseRoughness!==void 0&&(n.diffuseRoughness=this.diffuseRoughness),this.diffuseRoughnessMap&&this.diffuseRoughnessMap.isTexture&&(n.diffuseRoughnessMap=this.diffuseRoughnessMap.toJSON(t).uuid),this.clearcoatMap&&this.clearcoatMap.isTexture&&(n.clearcoatMap=this.clearcoatMap.toJSON(t).uuid),this.clearcoatRoughnessMap&&this.clearcoatRoughnessMap.isTexture&&(n.clearcoatRoughnessMap=this.clearcoatRoughnessMap.toJSON(t).uuid),this.clearcoatNormalMap&&this.clearcoatNormalMap.isTexture&&(n.clearcoatNormalMap=this.clearcoatNormalMap.toJSON(t).uuid,n.clearcoatNormalScale=this.clearcoatNormalScale.toArray()),this.sheenColorMap&&this.sheenColorMap.isTexture&&(n.sheenColorMap=this.sheenColorMap.toJSON(t).uuid),this.sheenRoughnessMap&&this.sheenRoughnessMap.isTexture&&(n.sheenRoughnessMap=this.sheenRoughnessMap.toJSON(t).uuid),this.dispersion!==void 0&&(n.dispersion=this.dispersion),this.retroreflectivity!==void 0&&(n.retroreflectivity=this.retroreflectivity),this.iridescence!==void 0&&(n.iridescence=this.iridescence),this.iridescenceIOR!==void 0&&(n.iridescenceIOR=this.iridescenceIOR),this.iridescenceThicknessMinimum!==void 0&&(n.iridescenceThicknessMinimum=this.iridescenceThicknessMinimum),this.iridescenceThicknessMaximum!==void 0&&(n.iridescenceThicknessMaximum=this.iridescenceThicknessMaximum),this.iridescenceMap&&this.iridescenceMap.isTexture&&(n.iridescenceMap=this.iridescenceMap.toJSON(t).uuid),this.iridescenceThicknessMap&&this.iridescenceThicknessMap.isTexture&&(n.iridescenceThicknessMap=this.iridescenceThicknessMap.toJSON(t).uuid),this.anisotropy!==void 0&&(n.anisotropy=this.anisotropy),this.anisotropyRotation!==void 0&&(n.anisotropyRotation=this.anisotropyRotation),this.anisotropyMap&&this.anisotropyMap.isTexture&&(n.anisotropyMap=this.anisotropyMap.toJSON(t).uuid),this.map&&this.map.isTexture&&(n.map=this.map.toJSON(t).uuid),this.matcap&&this.matcap.isTexture&&(n.matcap=this.matcap.toJSON(t).uuid),this.alphaMap&&this.alphaMap.isTexture&&(n.alphaMap=this.alphaMap.toJSON(t).uuid),this.lightMap&&this.lightMap.isTexture&&(n.lightMap=this.lightMap.toJSON(t).uuid,n.lightMapIntensity=this.lightMapIntensity),this.aoMap&&this.aoMap.isTexture&&(n.aoMap=this.aoMap.toJSON(t).uuid,n.aoMapIntensity=this.aoMapIntensity),this.bumpMap&&this.bumpMap.isTexture&&(n.bumpMap=this.bumpMap.toJSON(t).uuid,n.bumpScale=this.bumpScale),this.normalMap&&this.normalMap.isTexture&&(n.normalMap=this.normalMap.toJSON(t).uuid,n.normalMapType=this.normalMapType,n.normalScale=this.normalScale.toArray()),this.displacementMap&&this.displacementMap.isTexture&&(n.displacementMap=this.displacementMap.toJSON(t).uuid,n.displacementScale=this.displacementScale,n.displacementBias=this.displacementBias),this.roughnessMap&&this.roughnessMap.isTexture&&(n.roughnessMap=this.roughnessMap.toJSON(t).uuid),this.metalnessMap&&this.metalnessMap.isTexture&&(n.metalnessMap=this.metalnessMap.toJSON(t).uuid),this.emissiveMap&&this.emissiveMap.isTexture&&(n.emissiveMap=this.emissiveMap.toJSON(t).uuid),this.specularMap&&this.specularMap.isTexture&&(n.specularMap=this.specularMap.toJSON(t).uuid),this.specularIntensityMap&&this.specularIntensityMap.isTexture&&(n.specularIntensityMap=this.specularIntensityMap.toJSON(t).uuid),this.specularColorMap&&this.specularColorMap.isTexture&&(n.specularColorMap=this.specularColorMap.toJSON(t).uuid),this.envMap&&this.envMap.isTexture&&(n.envMap=this.envMap.toJSON(t).uuid,this.combine!==void 0&&(n.combine=this.combine)),this.envMapRotation!==void 0&&(n.envMapRotation=this.envMapRotation.toArray()),this.envMapIntensity!==void 0&&(n.envMapIntensity=this.envMapIntensity),this.reflectivity!==void 0&&(n.reflectivity=this.reflectivity),this.refractionRatio!==void 0&&(n.refractionRatio=this.refractionRatio),this.gradientMap&&this.gradientMap.isTexture&&(n.gradientMap=this.gradientMap.toJSON(t).uuid),this.transmission!==void 0&&(n.transmission=this.transmission),this.transmissionMap&&this.transmissionMap.isTexture&&(n.transmissionMap=this.transmissionMap.toJSON(t).uuid),this.thickness!==void 0&&(n.thickness=this.thickness),this.thicknessMap&&this.thicknessMap.isTexture&&(n.thicknessMap=this.thicknessMap.toJSON(t).uuid),this.attenuationDistance!==void 0&&(n.attenuationDistance=this.attenuationDistance),this.attenuationColor!==void 0&&(n.attenuationColor=this.attenuationColor.getHex()),this.size!==void 0&&(n.size=this.size),this.sizeAttenuation!==void 0&&(n.sizeAttenuation=this.sizeAttenuation),Array.isArray(this.clippingPlanes)&&this.clippingPlanes.length>0&&(n.clippingPlanes=this.clippingPlanes.map(r=>r.toJSON())),this.rotation!==void 0&&(n.rotation=this.rotation),this.depthPacking!==void 0&&(n.depthPacking=this.depthPacking),this.linewidth!==void 0&&(n.linewidth=this.linewidth),this.linecap!==void 0&&(n.linecap=this.linecap),this.linejoin!==void 0&&(n.linejoin=this.linejoin),this.dashSize!==void 0&&(n.dashSize=this.dashSize),this.gapSize!==void 0&&(n.gapSize=this.gapSize),this.scale!==void 0&&(n.scale=this.scale),this.wireframe!==void 0&&(n.wireframe=this.wireframe),this.wireframeLinewidth!==void 0&&(n.wireframeLinewidth=this.wireframeLinewidth),this.wireframeLinecap!==void 0&&(n.wireframeLinecap=this.wireframeLinecap),this.wireframeLinejoin!==void 0&&(n.wireframeLinejoin=this.wireframeLinejoin),this.flatShading!==void 0&&(n.flatShading=this.flatShading),this.fog!==void 0&&(n.fog=this.fog),Object.keys(this.userData).length>0&&(n.userData=this.userData);function s(r){let o=[];for(let a in r){let l=r[a];delete l.metadata,o.push(l)}return o}if(e){let r=s(t.textures),o=s(t.images);r.length>0&&(n.textures=r),o.length>0&&(n.images=o)}return n}fromJSON(t,e){if(t.uuid!==void 0&&(this.uuid=t.uuid),t.name!==void 0&&(this.name=t.name),t.color!==void 0&&this.color!==void 0&&this.color.setHex(t.color),t.roughness!==void 0&&(this.roughness=t.roughness),t.metalness!==void 0&&(this.metalness=t.metalness),t.sheen!==void 0&&(this.sheen=t.sheen),t.sheenColor!==void 0&&(this.sheenColor=new Dt().setHex(t.sheenColor)),t.sheenRoughness!==void 0&&(this.sheenRoughness=t.sheenRoughness),t.emissive!==void 0&&this.emissive!==void 0&&this.emissive.setHex(t.emissive),t.specular!==void 0&&this.specular!==void 0&&this.specular.setHex(t.specular),t.specularIntensity!==void 0&&(this.specularIntensity=t.specularIntensity),t.specularColor!==void 0&&this.specularColor!==void 0&&this.specularColor.setHex(t.specularColor),t.shininess!==void 0&&(this.shininess=t.shininess),t.clearcoat!==void 0&&(this.clearcoat=t.clearcoat),t.clearcoatRoughness!==void 0&&(this.clearcoatRoughness=t.clearcoatRoughness),t.diffuseRoughness!==void 0&&(this.diffuseRoughness=t.diffuseRoughness),t.dispersion!==void 0&&(this.dispersion=t.dispersion),t.retroreflectivity!==void 0&&(this.retroreflectivity=t.retroreflectivity),t.iridescence!==void 0&&(this.iridescence=t.iridescence),t.iridescenceIOR!==void 0&&(this.iridescenceIOR=t.iridescenceIOR),t.iridescenceThicknessMinimum!==void 0&&(this.iridescenceThicknessMinimum=t.iridescenceThicknessMinimum),t.iridescenceThicknessMaximum!==void 0&&(this.iridescenceThicknessMaximum=t.iridescenceThicknessMaximum),t.iridescenceThicknessRange!==void 0&&(this.iridescenceThicknessMinimum=t.iridescenceThicknessRange[0],this.iridescenceThicknessMaximum=t.iridescenceThicknessRange[1]),t.transmission!==void 0&&(this.transmission=t.transmission),t.thickness!==void 0&&(this.thickness=t.thickness),t.attenuationDistance!==void 0&&(this.attenuationDistance=t.attenuationDistance),t.attenuationColor!==void 0&&this.attenuationColor!==void 0&&this.attenuationColor.setHex(t.attenuationColor),t.anisotropy!==void 0&&(this.anisotropy=t.anisotropy),t.anisotropyRotation!==void 0&&(this.anisotropyRotation=t.anisotropyRotation),t.fog!==void 0&&(this.fog=t.fog),t.flatShading!==void 0&&(this.flatShading=t.flatShading),t.blending!==void 0&&(this.blending=t.blending),t.combine!==void 0&&(this.combine=t.combine),t.side!==void 0&&(this.side=t.side),t.shadowSide!==void 0&&(this.shadowSide=t.shadowSide),t.opacity!==void 0&&(this.opacity=t.opacity),t.transparent!==void 0&&(this.transparent=t.transparent),t.alphaTest!==void 0&&(this.alphaTest=t.alphaTest),t.alphaHash!==void 0&&(this.alphaHash=t.alphaHash),t.depthFunc!==void 0&&(this.depthFunc=t.depthFunc),t.depthTest!==void 0&&(this.depthTest=t.depthTest),t.depthWrite!==void 0&&(this.depthWrite=t.depthWrite),t.colorWrite!==void 0&&(this.colorWrite=t.colorWrite),t.clippingPlanes!==void 0&&(this.clippingPlanes=t.clippingPlanes.map(n=>new an().fromJSON(n))),t.clipIntersection!==void 0&&(this.clipIntersection=t.clipIntersection),t.clipShadows!==void 0&&(this.clipShadows=t.clipShadows),t.depthPacking!==void 0&&(this.depthPacking=t.depthPacking),t.blendSrc!==void 0&&(this.blendSrc=t.blendSrc),t.blendDst!==void 0&&(this.blendDst=t.blendDst),t.blendEquation!==void 0&&(this.blendEquation=t.blendEquation),t.blendSrcAlpha!==void 0&&(this.blendSrcAlpha=t.blendSrcAlpha),t.blendDstAlpha!==void 0&&(this.blendDstAlpha=t.blendDstAlpha),t.blendEquationAlpha!==void 0&&(this.blendEquationAlpha=t.blendEquationAlpha),t.blendColor!==void 0&&this.blendColor!==void 0&&this.blendColor.setHex(t.blendColor),t.blendAlpha!==void 0&&(this.blendAlpha=t.blendAlpha),t.stencilWriteMask!==void 0&&(this.stencilWriteMask=t.stencilWriteMask),t.stencilFunc!==void 0&&(this.stencilFunc=t.stencilFunc),t.stencilRef!==void 0&&(this.stencilRef=t.stencilRef),t.stencilFuncMask!==void 0&&(this.stencilFuncMask=t.stencilFuncMask),t.stencilFail!==void 0&&(this.stencilFail=t.stencilFail),t.stencilZFail!==void 0&&(this.stencilZFail=t.stencilZFail),t.stencilZPass!==void 0&&(this.stencilZPass=t.stencilZPass),t.stencilWrite!==void 0&&(this.stencilWrite=t.stencilWrite),t.wireframe!==void 0&&(this.wireframe=t.wireframe),t.wireframeLinewidth!==void 0&&(this.wireframeLinewidth=t.wireframeLinewidth),t.wireframeLinecap!==void 0&&(this.wireframeLinecap=t.wireframeLinecap),t.wireframeLinejoin!==void 0&&(this.wireframeLinejoin=t.wireframeLinejoin),t.rotation!==void 0&&(this.rotation=t.rotation),t.linewidth!==void 0&&(this.linewidth=t.linewidth),t.linecap!==void 0&&(this.linecap=t.linecap),t.linejoin!==void 0&&(this.linejoin=t.linejoin),t.dashSize!==void 0&&(this.dashSize=t.dashSize),t.gapSize!==void 0&&(this.gapSize=t.gapSize),t.scale!==void 0&&(this.scale=t.scale),t.polygonOffset!==void 0&&(this.polygonOffset=t.polygonOffset),t.polygonOffsetFactor!==void 0&&(this.polygonOffsetFactor=t.polygonOffsetFactor),t.polygonOffsetUnits!==void 0&&(this.polygonOffsetUnits=t.polygonOffsetUnits),t.dithering!==void 0&&(this.dithering=t.dithering),t.alphaToCoverage!==void 0&&(this.alphaToCoverage=t.alphaToCoverage),t.premultipliedAlpha!==void 0&&(this.premultipliedAlpha=t.premultipliedAlpha),t.forceSinglePass!==void 0&&(this.forceSinglePass=t.forceSinglePass),t.allowOverride!==void 0&&(this.allowOverride=t.allowOverride),t.visible!==void 0&&(this.visible=t.visible),t.toneMapped!==void 0&&(this.toneMapped=t.toneMapped),t.userData!==void 0&&(this.userData=t.userData),t.vertexColors!==void 0&&(typeof t.vertexColors=="number"?this.vertexColors=t.vertexColors>0:this.vertexColors=t.vertexColors),t.size!==void 0&&(this.size=t.size),t.sizeAttenuation!==void 0&&(this.sizeAttenuation=t.sizeAttenuation),t.map!==void 0&&(this.map=e[t.map]||null),t.matcap!==void 0&&(this.matcap=e[t.matcap]||null),t.alphaMap!==void 0&&(this.alphaMap=e[t.alphaMap]||null),t.bumpMap!==void 0&&(this.bumpMap=e[t.bumpMap]||null),t.bumpScale!==void 0&&(this.bumpScale=t.bumpScale),t.normalMap!==void 0&&(this.normalMap=e[t.normalMap]||null),t.normalMapType!==void 0&&(this.normalMapType=t.normalMapType),t.normalScale!==void 0){let n=t.normalScale;Array.isArray(n)===!1&&(n=[n,n]),this.normalScale=new Nt().fromArray(n)}return t.displacementMap!==void 0&&(this.displacementMap=e[t.displacementMap]||null),t.displacementScale!==void 0&&(this.displacementScale=t.displacementScale),t.displacementBias!==void 0&&(this.displacementBias=t.displacementBias),t.roughnessMap!==void 0&&(this.roughnessMap=e[t.roughnessMap]||null),t.metalnessMap!==void 0&&(this.metalnessMap=e[t.metalnessMap]||null),t.emissiveMap!==void 0&&(this.emissiveMap=e[t.emissiveMap]||null),t.emissiveIntensity!==void 0&&(this.emissiveIntensity=t.emissiveIntensity),t.specularMap!==void 0&&(this.specularMap=e[t.specularMap]||null),t.specularIntensityMap!==void 0&&(this.specularIntensityMap=e[t.specularIntensityMap]||null),t.specularColorMap!==void 0&&(this.specularColorMap=e[t.specularColorMap]||null),t.envMap!==void 0&&(this.envMap=e[t.envMap]||null),t.envMapRotation!==void 0&&this.envMapRotation.fromArray(t.envMapRotation),t.envMapIntensity!==void 0&&(this.envMapIntensity=t.envMapIntensity),t.reflectivity!==void 0&&(this.reflectivity=t.reflectivity),t.refractionRatio!==void 0&&(this.refractionRatio=t.refractionRatio),t.lightMap!==void 0&&(this.lightMap=e[t.lightMap]||null),t.lightMapIntensity!==void 0&&(this.lightMapIntensity=t.lightMapIntensity),t.aoMap!==void 0&&(this.aoMap=e[t.aoMap]||null),t.aoMapIntensity!==void 0&&(this.aoMapIntensity=t.aoMapIntensity),t.gradientMap!==void 0&&(this.gradientMap=e[t.gradientMap]||null),t.clearcoatMap!==void 0&&(this.clearcoatMap=e[t.clearcoatMap]||null),t.clearcoatRoughnessMap!==void 0&&(this.clearcoatRoughnessMap=e[t.clearcoatRoughnessMap]||null),t.clearcoatNormalMap!==void 0&&(this.clearcoatNormalMap=e[t.clearcoatNormalMap]||null),t.clearcoatNormalScale!==void 0&&(this.clearcoatNormalScale=new Nt().fromArray(t.clearcoatNormalScale)),t.diffuseRoughnessMap!==void 0&&(this.diffuseRoughnessMap=e[t.diffuseRoughnessMap]||null),t.iridescenceMap!==void 0&&(this.iridescenceMap=e[t.iridescenceMap]||null),t.iridescenceThicknessMap!==void 0&&(this.iridescenceThicknessMap=e[t.iridescenceThicknessMap]||null),t.transmissionMap!==void 0&&(this.transmissionMap=e[t.transmissionMap]||null),t.thicknessMap!==void 0&&(this.thicknessMap=e[t.thicknessMap]||null),t.anisotropyMap!==void 0&&(this.anisotropyMap=e[t.anisotropyMap]||null),t.sheenColorMap!==void 0&&(this.sheenColorMap=e[t.sheenColorMap]||null),t.sheenRoughnessMap!==void 0&&(this.sheenRoughnessMap=e[t.sheenRoughnessMap]||null),this}clone(){return new this.constructor().copy(this)}copy(t){this.name=t.name,this.blending=t.blending,this.side=t.side,this.vertexColors=t.vertexColors,this.opacity=t.opacity,this.transparent=t.transparent,this.blendSrc=t.blendSrc,this.blendDst=t.blendDst,this.blendEquation=t.blendEquation,this.blendSrcAlpha=t.blendSrcAlpha,this.blendDstAlpha=t.blendDstAlpha,this.blendEquationAlpha=t.blendEquationAlpha,this.blendColor.copy(t.blendColor),this.blendAlpha=t.blendAlpha,this.depthFunc=t.depthFunc,this.depthTest=t.depthTest,this.depthWrite=t.depthWrite,this.stencilWriteMask=t.stencilWriteMask,this.stencilFunc=t.stencilFunc,this.stencilRef=t.stencilRef,this.stencilFuncMask=t.stencilFuncMask,this.stencilFail=t.stencilFail,this.stencilZFail=t.stencilZFail,this.stencilZPass=t.stencilZPass,this.stencilWrite=t.stencilWrite;let e=t.clippingPlanes,n=null;if(e!==null){let s=e.length;n=new Array(s);for(let r=0;r!==s;++r)n[r]=e[r].clone()}return this.clippingPlanes=n,this.clipIntersection=t.clipIntersection,this.clipShadows=t.clipShadows,this.shadowSide=t.shadowSide,this.colorWrite=t.colorWrite,this.precision=t.precision,this.polygonOffset=t.polygonOffset,this.polygonOffsetFactor=t.polygonOffsetFactor,this.polygonOffsetUnits=t.polygonOffsetUnits,this.dithering=t.dithering,this.alphaTest=t.alphaTest,this.alphaHash=t.alphaHash,this.alphaToCoverage=t.alphaToCoverage,this.premultipliedAlpha=t.premultipliedAlpha,this.forceSinglePass=t.forceSinglePass,this.allowOverride=t.allowOverride,this.visible=t.visible,this.toneMapped=t.toneMapped,this.userData=JSON.parse(JSON.stringify(t.userData)),this}dispose(){this.dispatchEvent({type:"dispose"})}set needsUpdate(t){t===!0&&this.version++}};var si=new I,jc=new I,Ko=new I,Jo=new I,Ji=class{constructor(t=new I,e=new I(0,0,-1)){this.origin=t,this.direction=e}set(t,e){return this.origin.copy(t),this.direction.copy(e),this}copy(t){return this.origin.copy(t.origin),this.direction.copy(t.direction),this}at(t,e){return e.copy(this.origin).addScaledVector(this.direction,t)}lookAt(t){return this.direction.copy(t).sub(this.origin).normalize(),this}recast(t){return this.origin.copy(this.at(t,si)),this}closestPointToPoint(t,e){e.subVectors(t,this.origin);let n=e.dot(this.direction);return n<0?e.copy(this.origin):e.copy(this.origin).addScaledVector(this.direction,n)}distanceToPoint(t){return Math.sqrt(this.distanceSqToPoint(t))}distanceSqToPoint(t){let e=si.subVectors(t,this.origin).dot(this.direction);return e<0?this.origin.distanceToSquared(t):(si.copy(this.origin).addScaledVector(this.direction,e),si.distanceToSquared(t))}distanceSqToSegment(t,e,n,s){jc.copy(t).add(e).multiplyScalar(.5),Ko.copy(e).sub(t).normalize(),Jo.copy(this.origin).sub(jc);let r=t.distanceTo(e)*.5,o=-this.direction.dot(Ko),a=Jo.dot(this.direction),l=-Jo.dot(Ko),c=Jo.lengthSq(),h=Math.abs(1-o*o),u,d,f,g;if(h>0)if(u=o*l-a,d=o*a-l,g=r*h,u>=0)if(d>=-g)if(d<=g){let y=1/h;u*=y,d*=y,f=u*(u+o*d+2*a)+d*(o*u+d+2*l)+c}else d=r,u=Math.max(0,-(o*d+a)),f=-u*u+d*(d+2*l)+c;else d=-r,u=Math.max(0,-(o*d+a)),f=-u*u+d*(d+2*l)+c;else d<=-g?(u=Math.max(0,-(-o*r+a)),d=u>0?-r:Math.min(Math.max(-r,-l),r),f=-u*u+d*(d+2*l)+c):d<=g?(u=0,d=Math.min(Math.max(-r,-l),r),f=d*(d+2*l)+c):(u=Math.max(0,-(o*r+a)),d=u>0?r:Math.min(Math.max(-r,-l),r),f=-u*u+d*(d+2*l)+c);else d=o>0?-r:r,u=Math.max(0,-(o*d+a)),f=-u*u+d*(d+2*l)+c;return n&&n.copy(this.origin).addScaledVector(this.direction,u),s&&s.copy(jc).addScaledVector(Ko,d),f}intersectSphere(t,e){if(t.radius<0)return null;si.subVectors(t.center,this.origin);let n=si.dot(this.direction),s=si.dot(si)-n*n,r=t.radius*t.radius;if(s>r)return null;let o=Math.sqrt(r-s),a=n-o,l=n+o;return l<0?null:a<0?this.at(l,e):this.at(a,e)}intersectsSphere(t){return t.radius<0?!1:this.distanceSqToPoint(t.center)<=t.radius*t.radius}distanceToPlane(t){let e=t.normal.dot(this.direction);if(e===0)return t.distanceToPoint(this.origin)===0?0:null;let n=-(this.origin.dot(t.normal)+t.constant)/e;return n>=0?n:null}intersectPlane(t,e){let n=this.distanceToPlane(t);return n===null?null:this.at(n,e)}intersectsPlane(t){let e=t.distanceToPoint(this.origin);return e===0||t.normal.dot(this.direction)*e<0}intersectBox(t,e){let n,s,r,o,a,l,c=1/this.direction.x,h=1/this.direction.y,u=1/this.direction.z,d=this.origin;return c>=0?(n=(t.min.x-d.x)*c,s=(t.max.x-d.x)*c):(n=(t.max.x-d.x)*c,s=(t.min.x-d.x)*c),h>=0?(r=(t.min.y-d.y)*h,o=(t.max.y-d.y)*h):(r=(t.max.y-d.y)*h,o=(t.min.y-d.y)*h),n>o||r>s||((r>n||isNaN(n))&&(n=r),(o<s||isNaN(s))&&(s=o),u>=0?(a=(t.min.z-d.z)*u,l=(t.max.z-d.z)*u):(a=(t.max.z-d.z)*u,l=(t.min.z-d.z)*u),n>l||a>s)||((a>n||n!==n)&&(n=a),(l<s||s!==s)&&(s=l),s<0)?null:this.at(n>=0?n:s,e)}intersectsBox(t){return this.intersectBox(t,si)!==null}intersectTriangle(t,e,n,s,r){let o=this.origin,a=this.direction,l=a.x,c=a.y,h=a.z,u=t.x-o.x,d=t.y-o.y,f=t.z-o.z,g=e.x-o.x,y=e.y-o.y,m=e.z-o.z,p=n.x-o.x,b=n.y-o.y,E=n.z-o.z,S=Math.abs(l),A=Math.abs(c),T=Math.abs(h),x,M,U,P,O,F,H,L,W,q,G,it;if(S>=A&&S>=T?(U=l,F=u,W=g,it=p,l>=0?(x=c,M=h,P=d,O=f,H=y,L=m,q=b,G=E):(x=h,M=c,P=f,O=d,H=m,L=y,q=E,G=b)):A>=T?(U=c,F=d,W=y,it=b,c>=0?(x=h,M=l,P=f,O=u,H=m,L=g,q=E,G=p):(x=l,M=h,P=u,O=f,H=g,L=m,q=p,G=E)):(U=h,F=f,W=m,it=E,h>=0?(x=l,M=c,P=u,O=d,H=g,L=y,q=p,G=b):(x=c,M=l,P=d,O=u,H=y,L=g,q=b,G=p)),U===0)return null;let $=x/U,Q=M/U,et=1/U,St=P-$*F,Bt=O-Q*F,K=H-$*W,gt=L-Q*W,_t=q-$*it,Rt=G-Q*it,xt=_t*gt-Rt*K,Ht=St*Rt-Bt*_t,_e=K*Bt-gt*St;if(s){if(xt<0||Ht<0||_e<0)return null}else if((xt<0||Ht<0||_e<0)&&(xt>0||Ht>0||_e>0))return null;let It=xt+Ht+_e;if(It===0)return null;let re=et*(xt*F+Ht*W+_e*it);return(It>0?re<0:re>0)?null:this.at(re/It,r)}applyMatrix4(t){return this.origin.applyMatrix4(t),this.direction.transformDirection(t),this}equals(t){return t.origin.equals(this.origin)&&t.direction.equals(this.direction)}clone(){return new this.constructor().copy(this)}},Ti=class extends Pn{constructor(t){super(),this.isMeshBasicMaterial=!0,this.type="MeshBasicMaterial",this.color=new Dt(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new Bn,this.combine=Xa,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.specularMap=t.specularMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.combine=t.combine,this.reflectivity=t.reflectivity,this.refractionRatio=t.refractionRatio,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.fog=t.fog,this}},sf=new Zt,Zi=new Ji,jo=new ai,rf=new I,Qo=new I,ta=new I,ea=new I,Qc=new I,na=new I,of=new I,ia=new I,Ke=class extends ke{constructor(t=new Te,e=new Ti){super(),this.isMesh=!0,this.type="Mesh",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.count=1,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0?this.morphTargetInfluences=t.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,t.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}updateMorphTargets(){let e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){let s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}getVertexPosition(t,e){let n=this.geometry,s=n.attributes.position,r=n.morphAttributes.position,o=n.morphTargetsRelative;e.fromBufferAttribute(s,t);let a=this.morphTargetInfluences;if(r&&a){na.set(0,0,0);for(let l=0,c=r.length;l<c;l++){let h=a[l],u=r[l];h!==0&&(Qc.fromBufferAttribute(u,t),o?na.addScaledVector(Qc,h):na.addScaledVector(Qc.sub(e),h))}e.add(na)}return e}intersectsFrustum(t){return t.intersectsObject(this)}raycast(t,e){let n=this.geometry,s=this.material,r=this.matrixWorld;s!==void 0&&(n.boundingSphere===null&&n.computeBoundingSphere(),jo.copy(n.boundingSphere),jo.applyMatrix4(r),Zi.copy(t.ray).recast(t.near),!(jo.containsPoint(Zi.origin)===!1&&(Zi.intersectSphere(jo,rf)===null||Zi.origin.distanceToSquared(rf)>(t.far-t.near)**2))&&(sf.copy(r).invert(),Zi.copy(t.ray).applyMatrix4(sf),!(n.boundingBox!==null&&Zi.intersectsBox(n.boundingBox)===!1)&&this._computeIntersections(t,e,Zi)))}_computeIntersections(t,e,n){let s,r=this.geometry,o=this.material,a=r.index,l=r.attributes.position,c=r.attributes.uv,h=r.attributes.uv1,u=r.attributes.normal,d=r.groups,f=r.drawRange;if(a!==null)if(Array.isArray(o))for(let g=0,y=d.length;g<y;g++){let m=d[g],p=o[m.materialIndex],b=Math.max(m.start,f.start),E=Math.min(a.count,Math.min(m.start+m.count,f.start+f.count));for(let S=b,A=E;S<A;S+=3){let T=a.getX(S),x=a.getX(S+1),M=a.getX(S+2);s=sa(this,p,t,n,c,h,u,T,x,M),s&&(s.faceIndex=Math.floor(S/3),s.face.materialIndex=m.materialIndex,e.push(s))}}else{let g=Math.max(0,f.start),y=Math.min(a.count,f.start+f.count);for(let m=g,p=y;m<p;m+=3){let b=a.getX(m),E=a.getX(m+1),S=a.getX(m+2);s=sa(this,o,t,n,c,h,u,b,E,S),s&&(s.faceIndex=Math.floor(m/3),e.push(s))}}else if(l!==void 0)if(Array.isArray(o))for(let g=0,y=d.length;g<y;g++){let m=d[g],p=o[m.materialIndex],b=Math.max(m.start,f.start),E=Math.min(l.count,Math.min(m.start+m.count,f.start+f.count));for(let S=b,A=E;S<A;S+=3){let T=S,x=S+1,M=S+2;s=sa(this,p,t,n,c,h,u,T,x,M),s&&(s.faceIndex=Math.floor(S/3),s.face.materialIndex=m.materialIndex,e.push(s))}}else{let g=Math.max(0,f.start),y=Math.min(l.count,f.start+f.count);for(let m=g,p=y;m<p;m+=3){let b=m,E=m+1,S=m+2;s=sa(this,o,t,n,c,h,u,b,E,S),s&&(s.faceIndex=Math.floor(m/3),e.push(s))}}}};function p0(i,t,e,n,s,r,o,a){let l;if(t.side===Je?l=n.intersectTriangle(o,r,s,!0,a):l=n.intersectTriangle(s,r,o,t.side===Ni,a),l===null)return null;ia.copy(a),ia.applyMatrix4(i.matrixWorld);let c=e.ray.origin.distanceTo(ia);return c<e.near||c>e.far?null:{distance:c,point:ia.clone(),object:i}}function sa(i,t,e,n,s,r,o,a,l,c){i.getVertexPosition(a,Qo),i.getVertexPosition(l,ta),i.getVertexPosition(c,ea);let h=p0(i,t,e,n,Qo,ta,ea,of);if(h){let u=new I;wi.getBarycoord(of,Qo,ta,ea,u),s&&(h.uv=wi.getInterpolatedAttribute(s,a,l,c,u,new Nt)),r&&(h.uv1=wi.getInterpolatedAttribute(r,a,l,c,u,new Nt)),o&&(h.normal=wi.getInterpolatedAttribute(o,a,l,c,u,new I),h.normal.dot(n.direction)>0&&h.normal.multiplyScalar(-1));let d={a,b:l,c,normal:new I,materialIndex:0};wi.getNormal(Qo,ta,ea,d.normal),h.face=d,h.barycoord=u}return h}var _r=class extends Qe{constructor(t=null,e=1,n=1,s,r,o,a,l,c=De,h=De,u,d){super(null,o,a,l,c,h,s,r,u,d),this.isDataTexture=!0,this.image={data:t,width:e,height:n},this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}};var br=class extends qe{constructor(t,e,n,s=1){super(t,e,n),this.isInstancedBufferAttribute=!0,this.meshPerAttribute=s}copy(t){return super.copy(t),this.meshPerAttribute=t.meshPerAttribute,this}toJSON(){let t=super.toJSON();return t.meshPerAttribute=this.meshPerAttribute,t.isInstancedBufferAttribute=!0,t}},As=new Zt,af=new Zt,ra=[],lf=new Ze,m0=new Zt,rr=new Ke,or=new ai,ji=class extends Ke{constructor(t,e,n){super(t,e),this.isInstancedMesh=!0,this.instanceMatrix=new br(new Float32Array(n*16),16),this.instanceColor=null,this.morphTexture=null,this.count=n,this.boundingBox=null,this.boundingSphere=null;for(let s=0;s<n;s++)this.setMatrixAt(s,m0)}computeBoundingBox(){let t=this.geometry,e=this.count;this.boundingBox===null&&(this.boundingBox=new Ze),t.boundingBox===null&&t.computeBoundingBox(),this.boundingBox.makeEmpty();for(let n=0;n<e;n++)this.getMatrixAt(n,As),lf.copy(t.boundingBox).applyMatrix4(As),this.boundingBox.union(lf)}computeBoundingSphere(){let t=this.geometry,e=this.count;this.boundingSphere===null&&(this.boundingSphere=new ai),t.boundingSphere===null&&t.computeBoundingSphere(),this.boundingSphere.makeEmpty();for(let n=0;n<e;n++)this.getMatrixAt(n,As),or.copy(t.boundingSphere).applyMatrix4(As),this.boundingSphere.union(or)}copy(t,e){return super.copy(t,e),this.instanceMatrix.copy(t.instanceMatrix),this.morphTexture=t.morphTexture!==null?t.morphTexture.clone():null,this.instanceColor=t.instanceColor!==null?t.instanceColor.clone():null,this.count=t.count,this.boundingBox=t.boundingBox!==null?t.boundingBox.clone():null,this.boundingSphere=t.boundingSphere!==null?t.boundingSphere.clone():null,this}getColorAt(t,e){return this.instanceColor===null?e.setRGB(1,1,1):e.fromArray(this.instanceColor.array,t*3)}getMatrixAt(t,e){return e.fromArray(this.instanceMatrix.array,t*16)}getMorphAt(t,e){let n=e.morphTargetInfluences,s=this.morphTexture.source.data.data,r=n.length+1,o=t*r+1;for(let a=0;a<n.length;a++)n[a]=s[o+a]}raycast(t,e){let n=this.matrixWorld,s=this.count;if(rr.geometry=this.geometry,rr.material=this.material,rr.material!==void 0&&(this.boundingSphere===null&&this.computeBoundingSphere(),or.copy(this.boundingSphere),or.applyMatrix4(n),t.ray.intersectsSphere(or)!==!1))for(let r=0;r<s;r++){this.getMatrixAt(r,As),af.multiplyMatrices(n,As),rr.matrixWorld=af,rr.raycast(t,ra);for(let o=0,a=ra.length;o<a;o++){let l=ra[o];l.instanceId=r,l.object=this,e.push(l)}ra.length=0}}setColorAt(t,e){return this.instanceColor===null&&(this.instanceColor=new br(new Float32Array(this.instanceMatrix.count*3).fill(1),3)),e.toArray(this.instanceColor.array,t*3),this}setMatrixAt(t,e){return e.toArray(this.instanceMatrix.array,t*16),this}setMorphAt(t,e){let n=e.morphTargetInfluences,s=n.length+1;this.morphTexture===null&&(this.morphTexture=new _r(new Float32Array(s*this.count),s,this.count,ja,_n));let r=this.morphTexture.source.data.data,o=0;for(let c=0;c<n.length;c++)o+=n[c];let a=this.geometry.morphTargetsRelative?1:1-o,l=s*t;return r[l]=a,r.set(n,l+1),this}updateMorphTargets(){}dispose(){super.dispose(),this.instanceMatrix.dispose(),this.instanceColor!==null&&this.instanceColor.dispose(),this.morphTexture!==null&&(this.morphTexture.dispose(),this.morphTexture=null)}},Ki=new ai,g0=new Nt(.5,.5),oa=new I,Ei=class{constructor(t=new an,e=new an,n=new an,s=new an,r=new an,o=new an){this.planes=[t,e,n,s,r,o]}set(t,e,n,s,r,o){let a=this.planes;return a[0].copy(t),a[1].copy(e),a[2].copy(n),a[3].copy(s),a[4].copy(r),a[5].copy(o),this}copy(t){let e=this.planes;for(let n=0;n<6;n++)e[n].copy(t.planes[n]);return this}setFromProjectionMatrix(t,e=yn,n=!1){let s=this.planes,r=t.elements,o=r[0],a=r[1],l=r[2],c=r[3],h=r[4],u=r[5],d=r[6],f=r[7],g=r[8],y=r[9],m=r[10],p=r[11],b=r[12],E=r[13],S=r[14],A=r[15];if(s[0].setComponents(c-o,f-h,p-g,A-b).normalize(),s[1].setComponents(c+o,f+h,p+g,A+b).normalize(),s[2].setComponents(c+a,f+u,p+y,A+E).normalize(),s[3].setComponents(c-a,f-u,p-y,A-E).normalize(),n)s[4].setComponents(l,d,m,S).normalize(),s[5].setComponents(c-l,f-d,p-m,A-S).normalize();else if(s[4].setComponents(c-l,f-d,p-m,A-S).normalize(),e===yn)s[5].setComponents(c+l,f+d,p+m,A+S).normalize();else if(e===Ns)s[5].setComponents(l,d,m,S).normalize();else throw new Error("THREE.Frustum.setFromProjectionMatrix(): Invalid coordinate system: "+e);return this}intersectsObject(t){if(t.boundingSphere!==void 0)t.boundingSphere===null&&t.computeBoundingSphere(),Ki.copy(t.boundingSphere).applyMatrix4(t.matrixWorld);else{let e=t.geometry;e.boundingSphere===null&&e.computeBoundingSphere(),Ki.copy(e.boundingSphere).applyMatrix4(t.matrixWorld)}return this.intersectsSphere(Ki)}intersectsSprite(t){Ki.center.set(0,0,0);let e=g0.distanceTo(t.center);return Ki.radius=.7071067811865476+e,Ki.applyMatrix4(t.matrixWorld),this.intersectsSphere(Ki)}intersectsSphere(t){let e=this.planes,n=t.center,s=-t.radius;for(let r=0;r<6;r++)if(e[r].distanceToPoint(n)<s)return!1;return!0}intersectsBox(t){let e=this.planes;for(let n=0;n<6;n++){let s=e[n];if(oa.x=s.normal.x>0?t.max.x:t.min.x,oa.y=s.normal.y>0?t.max.y:t.min.y,oa.z=s.normal.z>0?t.max.z:t.min.z,s.distanceToPoint(oa)<0)return!1}return!0}containsPoint(t){let e=this.planes;for(let n=0;n<6;n++)if(e[n].distanceToPoint(t)<0)return!1;return!0}clone(){return new this.constructor().copy(this)}},cf=new Zt,Aa=class i{constructor(){this.coordinateSystem=yn,this._frustums=[],this._count=0}setFromArrayCamera(t){let e=t.cameras,n=this._frustums;for(let s=0;s<e.length;s++){let r=e[s];cf.multiplyMatrices(r.projectionMatrix,r.matrixWorldInverse),n[s]===void 0&&(n[s]=new Ei),n[s].setFromProjectionMatrix(cf,r.coordinateSystem,r.reversedDepth)}return this._count=e.length,this}getFrustum(t){return this._frustums[t]}intersectsObject(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsObject(t))return!0;return!1}intersectsSprite(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsSprite(t))return!0;return!1}intersectsSphere(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsSphere(t))return!0;return!1}intersectsBox(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsBox(t))return!0;return!1}containsPoint(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].containsPoint(t))return!0;return!1}copy(t){this.coordinateSystem=t.coordinateSystem;let e=this._frustums,n=t._frustums;for(let s=0;s<t._count;s++)e[s]===void 0&&(e[s]=new Ei),e[s].copy(n[s]);return this._count=t._count,this}clone(){return new i().copy(this)}};var li=class extends Pn{constructor(t){super(),this.isLineBasicMaterial=!0,this.type="LineBasicMaterial",this.color=new Dt(16777215),this.map=null,this.linewidth=1,this.linecap="round",this.linejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.linewidth=t.linewidth,this.linecap=t.linecap,this.linejoin=t.linejoin,this.fog=t.fog,this}},Ca=new I,Ra=new I,hf=new Zt,ar=new Ji,aa=new ai,th=new I,uf=new I,ks=class extends ke{constructor(t=new Te,e=new li){super(),this.isLine=!0,this.type="Line",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0?this.morphTargetInfluences=t.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,t.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}computeLineDistances(){let t=this.geometry;if(t.index===null){let e=t.attributes.position,n=[0];for(let s=1,r=e.count;s<r;s++)Ca.fromBufferAttribute(e,s-1),Ra.fromBufferAttribute(e,s),n[s]=n[s-1],n[s]+=Ca.distanceTo(Ra);t.setAttribute("lineDistance",new ae(n,1))}else Ct("Line.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}intersectsFrustum(t){return t.intersectsObject(this)}raycast(t,e){let n=this.geometry,s=this.matrixWorld,r=t.params.Line.threshold,o=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),aa.copy(n.boundingSphere),aa.applyMatrix4(s),aa.radius+=r,t.ray.intersectsSphere(aa)===!1)return;hf.copy(s).invert(),ar.copy(t.ray).applyMatrix4(hf);let a=r/((this.scale.x+this.scale.y+this.scale.z)/3),l=a*a,c=this.isLineSegments?2:1,h=n.index,d=n.attributes.position;if(h!==null){let f=Math.max(0,o.start),g=Math.min(h.count,o.start+o.count);for(let y=f,m=g-1;y<m;y+=c){let p=h.getX(y),b=h.getX(y+1),E=la(this,t,ar,l,p,b,y);E&&e.push(E)}if(this.isLineLoop){let y=h.getX(g-1),m=h.getX(f),p=la(this,t,ar,l,y,m,g-1);p&&e.push(p)}}else{let f=Math.max(0,o.start),g=Math.min(d.count,o.start+o.count);for(let y=f,m=g-1;y<m;y+=c){let p=la(this,t,ar,l,y,y+1,y);p&&e.push(p)}if(this.isLineLoop){let y=la(this,t,ar,l,g-1,f,g-1);y&&e.push(y)}}}updateMorphTargets(){let e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){let s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}};function la(i,t,e,n,s,r,o){let a=i.geometry.attributes.position;if(Ca.fromBufferAttribute(a,s),Ra.fromBufferAttribute(a,r),e.distanceSqToSegment(Ca,Ra,th,uf)>n)return;th.applyMatrix4(i.matrixWorld);let c=t.ray.origin.distanceTo(th);if(!(c<t.near||c>t.far))return{distance:c,point:uf.clone().applyMatrix4(i.matrixWorld),index:o,face:null,faceIndex:null,barycoord:null,object:i}}var df=new I,ff=new I,Bs=class extends ks{constructor(t,e){super(t,e),this.isLineSegments=!0,this.type="LineSegments"}computeLineDistances(){let t=this.geometry;if(t.index===null){let e=t.attributes.position,n=[];for(let s=0,r=e.count;s<r;s+=2)df.fromBufferAttribute(e,s),ff.fromBufferAttribute(e,s+1),n[s]=s===0?0:n[s-1],n[s+1]=n[s]+df.distanceTo(ff);t.setAttribute("lineDistance",new ae(n,1))}else Ct("LineSegments.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}};var Mr=class extends Qe{constructor(t=[],e=ss,n,s,r,o,a,l,c,h){super(t,e,n,s,r,o,a,l,c,h),this.isCubeTexture=!0,this.flipY=!1}get images(){return this.image}set images(t){this.image=t}};var ci=class extends Qe{constructor(t,e,n=In,s,r,o,a=De,l=De,c,h=oi,u=1){if(h!==oi&&h!==ui)throw new Error("THREE.DepthTexture: format must be either THREE.DepthFormat or THREE.DepthStencilFormat");let d={width:t,height:e,depth:u};super(d,s,r,o,a,l,h,n,c),this.isDepthTexture=!0,this.flipY=!1,this.generateMipmaps=!1,this.compareFunction=null}copy(t){return super.copy(t),this.source=new Os(Object.assign({},t.image)),this.compareFunction=t.compareFunction,this}toJSON(t){let e=super.toJSON(t);return e.compareFunction=this.compareFunction,e}},Sr=class extends ci{constructor(t,e=In,n=ss,s,r,o=De,a=De,l,c=oi){let h={width:t,height:t,depth:1},u=[h,h,h,h,h,h];super(t,t,e,n,s,r,o,a,l,c),this.image=u,this.isCubeDepthTexture=!0,this.isCubeTexture=!0}get images(){return this.image}set images(t){this.image=t}},wr=class extends Qe{constructor(t=null){super(),this.sourceTexture=t,this.isExternalTexture=!0}copy(t){return super.copy(t),this.sourceTexture=t.sourceTexture,this}},zn=class i extends Te{constructor(t=1,e=1,n=1,s=1,r=1,o=1){super(),this.type="BoxGeometry",this.parameters={width:t,height:e,depth:n,widthSegments:s,heightSegments:r,depthSegments:o};let a=this;s=Math.floor(s),r=Math.floor(r),o=Math.floor(o);let l=[],c=[],h=[],u=[],d=0,f=0;g("z","y","x",-1,-1,n,e,t,o,r,0),g("z","y","x",1,-1,n,e,-t,o,r,1),g("x","z","y",1,1,t,n,e,s,o,2),g("x","z","y",1,-1,t,n,-e,s,o,3),g("x","y","z",1,-1,t,e,n,s,r,4),g("x","y","z",-1,-1,t,e,-n,s,r,5),this.setIndex(l),this.setAttribute("position",new ae(c,3)),this.setAttribute("normal",new ae(h,3)),this.setAttribute("uv",new ae(u,2));function g(y,m,p,b,E,S,A,T,x,M,U){let P=S/x,O=A/M,F=S/2,H=A/2,L=T/2,W=x+1,q=M+1,G=0,it=0,$=new I;for(let Q=0;Q<q;Q++){let et=Q*O-H;for(let St=0;St<W;St++){let Bt=St*P-F;$[y]=Bt*b,$[m]=et*E,$[p]=L,c.push($.x,$.y,$.z),$[y]=0,$[m]=0,$[p]=T>0?1:-1,h.push($.x,$.y,$.z),u.push(St/x),u.push(1-Q/M),G+=1}}for(let Q=0;Q<M;Q++)for(let et=0;et<x;et++){let St=d+et+W*Q,Bt=d+et+W*(Q+1),K=d+(et+1)+W*(Q+1),gt=d+(et+1)+W*Q;l.push(St,Bt,gt),l.push(Bt,K,gt),it+=6}a.addGroup(f,it,U),f+=it,d+=G}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.width,t.height,t.depth,t.widthSegments,t.heightSegments,t.depthSegments)}},Tr=class i extends Te{constructor(t=1,e=1,n=4,s=8,r=1){super(),this.type="CapsuleGeometry",this.parameters={radius:t,height:e,capSegments:n,radialSegments:s,heightSegments:r},e=Math.max(0,e),n=Math.max(1,Math.floor(n)),s=Math.max(3,Math.floor(s)),r=Math.max(1,Math.floor(r));let o=[],a=[],l=[],c=[],h=e/2,u=Math.PI/2*t,d=e,f=2*u+d,g=n*2+r,y=s+1,m=new I,p=new I;for(let b=0;b<=g;b++){let E=0,S=0,A=0,T=0;if(b<=n){let U=b/n,P=U*Math.PI/2;S=-h-t*Math.cos(P),A=t*Math.sin(P),T=-t*Math.cos(P),E=U*u}else if(b<=n+r){let U=(b-n)/r;S=-h+U*e,A=t,T=0,E=u+U*d}else{let U=(b-n-r)/n,P=U*Math.PI/2;S=h+t*Math.sin(P),A=t*Math.cos(P),T=t*Math.sin(P),E=u+d+U*u}let x=Math.max(0,Math.min(1,E/f)),M=0;b===0?M=.5/s:b===g&&(M=-.5/s);for(let U=0;U<=s;U++){let P=U/s,O=P*Math.PI*2,F=Math.sin(O),H=Math.cos(O);p.x=-A*H,p.y=S,p.z=A*F,a.push(p.x,p.y,p.z),m.set(-A*H,T,A*F),m.normalize(),l.push(m.x,m.y,m.z),c.push(P+M,x)}if(b>0){let U=(b-1)*y;for(let P=0;P<s;P++){let O=U+P,F=U+P+1,H=b*y+P,L=b*y+P+1;o.push(O,F,H),o.push(F,L,H)}}}this.setIndex(o),this.setAttribute("position",new ae(a,3)),this.setAttribute("normal",new ae(l,3)),this.setAttribute("uv",new ae(c,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.radius,t.height,t.capSegments,t.radialSegments,t.heightSegments)}};var zs=class i extends Te{constructor(t=1,e=1,n=1,s=32,r=1,o=!1,a=0,l=Math.PI*2){super(),this.type="CylinderGeometry",this.parameters={radiusTop:t,radiusBottom:e,height:n,radialSegments:s,heightSegments:r,openEnded:o,thetaStart:a,thetaLength:l};let c=this;s=Math.floor(s),r=Math.floor(r);let h=[],u=[],d=[],f=[],g=0,y=[],m=n/2,p=0;b(),o===!1&&(t>0&&E(!0),e>0&&E(!1)),this.setIndex(h),this.setAttribute("position",new ae(u,3)),this.setAttribute("normal",new ae(d,3)),this.setAttribute("uv",new ae(f,2));function b(){let S=new I,A=new I,T=0,x=(e-t)/n;for(let M=0;M<=r;M++){let U=[],P=M/r,O=P*(e-t)+t;for(let F=0;F<=s;F++){let H=F/s,L=H*l+a,W=Math.sin(L),q=Math.cos(L);A.x=O*W,A.y=-P*n+m,A.z=O*q,u.push(A.x,A.y,A.z),S.set(W,x,q).normalize(),d.push(S.x,S.y,S.z),f.push(H,1-P),U.push(g++)}y.push(U)}for(let M=0;M<s;M++)for(let U=0;U<r;U++){let P=y[U][M],O=y[U+1][M],F=y[U+1][M+1],H=y[U][M+1];(t>0||U!==0)&&(h.push(P,O,H),T+=3),(e>0||U!==r-1)&&(h.push(O,F,H),T+=3)}c.addGroup(p,T,0),p+=T}function E(S){let A=g,T=new Nt,x=new I,M=0,U=S===!0?t:e,P=S===!0?1:-1;for(let F=1;F<=s;F++)u.push(0,m*P,0),d.push(0,P,0),f.push(.5,.5),g++;let O=g;for(let F=0;F<=s;F++){let L=F/s*l+a,W=Math.cos(L),q=Math.sin(L);x.x=U*q,x.y=m*P,x.z=U*W,u.push(x.x,x.y,x.z),d.push(0,P,0),T.x=W*.5+.5,T.y=q*.5*P+.5,f.push(T.x,T.y),g++}for(let F=0;F<s;F++){let H=A+F,L=O+F;S===!0?h.push(L,L+1,H):h.push(L+1,L,H),M+=3}c.addGroup(p,M,S===!0?1:2),p+=M}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.radiusTop,t.radiusBottom,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}},Er=class i extends zs{constructor(t=1,e=1,n=32,s=1,r=!1,o=0,a=Math.PI*2){super(0,t,e,n,s,r,o,a),this.type="ConeGeometry",this.parameters={radius:t,height:e,radialSegments:n,heightSegments:s,openEnded:r,thetaStart:o,thetaLength:a}}static fromJSON(t){return new i(t.radius,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}};var Qi=class i extends Te{constructor(t=1,e=1,n=1,s=1){super(),this.type="PlaneGeometry",this.parameters={width:t,height:e,widthSegments:n,heightSegments:s};let r=t/2,o=e/2,a=Math.floor(n),l=Math.floor(s),c=a+1,h=l+1,u=t/a,d=e/l,f=[],g=[],y=[],m=[];for(let p=0;p<h;p++){let b=p*d-o;for(let E=0;E<c;E++){let S=E*u-r;g.push(S,-b,0),y.push(0,0,1),m.push(E/a),m.push(1-p/l)}}for(let p=0;p<l;p++)for(let b=0;b<a;b++){let E=b+c*p,S=b+c*(p+1),A=b+1+c*(p+1),T=b+1+c*p;f.push(E,S,T),f.push(S,A,T)}this.setIndex(f),this.setAttribute("position",new ae(g,3)),this.setAttribute("normal",new ae(y,3)),this.setAttribute("uv",new ae(m,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.width,t.height,t.widthSegments,t.heightSegments)}};var ts=class i extends Te{constructor(t=1,e=32,n=16,s=0,r=Math.PI*2,o=0,a=Math.PI){super(),this.type="SphereGeometry",this.parameters={radius:t,widthSegments:e,heightSegments:n,phiStart:s,phiLength:r,thetaStart:o,thetaLength:a},e=Math.max(3,Math.floor(e)),n=Math.max(2,Math.floor(n));let l=Math.min(o+a,Math.PI),c=0,h=[],u=new I,d=new I,f=[],g=[],y=[],m=[];for(let p=0;p<=n;p++){let b=[],E=p/n,S=o+E*a,A=t*Math.cos(S),T=Math.sqrt(t*t-A*A),x=0;p===0&&o===0?x=.5/e:p===n&&l===Math.PI&&(x=-.5/e);for(let M=0;M<=e;M++){let U=M/e,P=s+U*r;u.x=-T*Math.cos(P),u.y=A,u.z=T*Math.sin(P),g.push(u.x,u.y,u.z),d.copy(u).normalize(),y.push(d.x,d.y,d.z),m.push(U+x,1-E),b.push(c++)}h.push(b)}for(let p=0;p<n;p++)for(let b=0;b<e;b++){let E=h[p][b+1],S=h[p][b],A=h[p+1][b],T=h[p+1][b+1];(p!==0||o>0)&&f.push(E,S,T),(p!==n-1||l<Math.PI)&&f.push(S,A,T)}this.setIndex(f),this.setAttribute("position",new ae(g,3)),this.setAttribute("normal",new ae(y,3)),this.setAttribute("uv",new ae(m,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.radius,t.widthSegments,t.heightSegments,t.phiStart,t.phiLength,t.thetaStart,t.thetaLength)}};var Ar=class extends Pn{constructor(t){super(),this.isShadowMaterial=!0,this.type="ShadowMaterial",this.color=new Dt(0),this.transparent=!0,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.fog=t.fog,this}};function os(i){let t={};for(let e in i){t[e]={};for(let n in i[e]){let s=i[e][n];if(pf(s))s.isRenderTargetTexture?(Ct("UniformsUtils: Textures of render targets cannot be cloned via cloneUniforms() or mergeUniforms()."),t[e][n]=null):t[e][n]=s.clone();else if(Array.isArray(s))if(pf(s[0])){let r=[];for(let o=0,a=s.length;o<a;o++)r[o]=s[o].clone();t[e][n]=r}else t[e][n]=s.slice();else t[e][n]=s}}return t}function Ge(i){let t={};for(let e=0;e<i.length;e++){let n=os(i[e]);for(let s in n)t[s]=n[s]}return t}function pf(i){return i&&(i.isColor||i.isMatrix3||i.isMatrix4||i.isVector2||i.isVector3||i.isVector4||i.isTexture||i.isQuaternion)}function x0(i){let t=[];for(let e=0;e<i.length;e++)t.push(i[e].clone());return t}function Bh(i){let t=i.getRenderTarget();return t===null?i.outputColorSpace:t.isXRRenderTarget===!0?t.texture.colorSpace:Qt.workingColorSpace}var ap={clone:os,merge:Ge},v0=`void main() {
	gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`,y0=`void main() {
	gl_FragColor = vec4( 1.0, 0.0, 0.0, 1.0 );
}`,Vn=class extends Pn{constructor(t){super(),this.isShaderMaterial=!0,this.type="ShaderMaterial",this.defines={},this.uniforms={},this.uniformsGroups=[],this.vertexShader=v0,this.fragmentShader=y0,this.linewidth=1,this.wireframe=!1,this.wireframeLinewidth=1,this.fog=!1,this.lights=!1,this.clipping=!1,this.forceSinglePass=!0,this.extensions={clipCullDistance:!1,multiDraw:!1},this.defaultAttributeValues={color:[1,1,1],uv:[0,0],uv1:[0,0]},this.index0AttributeName=void 0,this.uniformsNeedUpdate=!1,this.glslVersion=null,t!==void 0&&this.setValues(t)}copy(t){return super.copy(t),this.fragmentShader=t.fragmentShader,this.vertexShader=t.vertexShader,this.uniforms=os(t.uniforms),this.uniformsGroups=x0(t.uniformsGroups),this.defines=Object.assign({},t.defines),this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.fog=t.fog,this.lights=t.lights,this.clipping=t.clipping,this.extensions=Object.assign({},t.extensions),this.glslVersion=t.glslVersion,this.defaultAttributeValues=Object.assign({},t.defaultAttributeValues),this.index0AttributeName=t.index0AttributeName,this.uniformsNeedUpdate=t.uniformsNeedUpdate,this}toJSON(t){let e=super.toJSON(t);e.glslVersion=this.glslVersion,e.uniforms={};for(let s in this.uniforms){let o=this.uniforms[s].value;o&&o.isTexture?e.uniforms[s]={type:"t",value:o.toJSON(t).uuid}:o&&o.isColor?e.uniforms[s]={type:"c",value:o.getHex()}:o&&o.isVector2?e.uniforms[s]={type:"v2",value:o.toArray()}:o&&o.isVector3?e.uniforms[s]={type:"v3",value:o.toArray()}:o&&o.isVector4?e.uniforms[s]={type:"v4",value:o.toArray()}:o&&o.isMatrix3?e.uniforms[s]={type:"m3",value:o.toArray()}:o&&o.isMatrix4?e.uniforms[s]={type:"m4",value:o.toArray()}:e.uniforms[s]={value:o}}Object.keys(this.defines).length>0&&(e.defines=this.defines),e.vertexShader=this.vertexShader,e.fragmentShader=this.fragmentShader,e.lights=this.lights,e.clipping=this.clipping;let n={};for(let s in this.extensions)this.extensions[s]===!0&&(n[s]=!0);return Object.keys(n).length>0&&(e.extensions=n),e}fromJSON(t,e){if(super.fromJSON(t,e),t.uniforms!==void 0)for(let n in t.uniforms){let s=t.uniforms[n];switch(this.uniforms[n]={},s.type){case"t":this.uniforms[n].value=e[s.value]||null;break;case"c":this.uniforms[n].value=new Dt().setHex(s.value);break;case"v2":this.uniforms[n].value=new Nt().fromArray(s.value);break;case"v3":this.uniforms[n].value=new I().fromArray(s.value);break;case"v4":this.uniforms[n].value=new me().fromArray(s.value);break;case"m3":this.uniforms[n].value=new Ft().fromArray(s.value);break;case"m4":this.uniforms[n].value=new Zt().fromArray(s.value);break;default:this.uniforms[n].value=s.value}}if(t.defines!==void 0&&(this.defines=t.defines),t.vertexShader!==void 0&&(this.vertexShader=t.vertexShader),t.fragmentShader!==void 0&&(this.fragmentShader=t.fragmentShader),t.glslVersion!==void 0&&(this.glslVersion=t.glslVersion),t.extensions!==void 0)for(let n in t.extensions)this.extensions[n]=t.extensions[n];return t.lights!==void 0&&(this.lights=t.lights),t.clipping!==void 0&&(this.clipping=t.clipping),this}},Pa=class extends Vn{constructor(t){super(t),this.isRawShaderMaterial=!0,this.type="RawShaderMaterial"}},Cr=class extends Pn{constructor(t){super(),this.isMeshStandardMaterial=!0,this.type="MeshStandardMaterial",this.defines={STANDARD:""},this.color=new Dt(16777215),this.roughness=1,this.metalness=0,this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.emissive=new Dt(0),this.emissiveIntensity=1,this.emissiveMap=null,this.bumpMap=null,this.bumpScale=1,this.normalMap=null,this.normalMapType=Xr,this.normalScale=new Nt(1,1),this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.roughnessMap=null,this.metalnessMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new Bn,this.envMapIntensity=1,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.flatShading=!1,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.defines={STANDARD:""},this.color.copy(t.color),this.roughness=t.roughness,this.metalness=t.metalness,this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.emissive.copy(t.emissive),this.emissiveMap=t.emissiveMap,this.emissiveIntensity=t.emissiveIntensity,this.bumpMap=t.bumpMap,this.bumpScale=t.bumpScale,this.normalMap=t.normalMap,this.normalMapType=t.normalMapType,this.normalScale.copy(t.normalScale),this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.roughnessMap=t.roughnessMap,this.metalnessMap=t.metalnessMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.envMapIntensity=t.envMapIntensity,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.flatShading=t.flatShading,this.fog=t.fog,this}};var Rr=class extends Pn{constructor(t){super(),this.isMeshLambertMaterial=!0,this.type="MeshLambertMaterial",this.color=new Dt(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.emissive=new Dt(0),this.emissiveIntensity=1,this.emissiveMap=null,this.bumpMap=null,this.bumpScale=1,this.normalMap=null,this.normalMapType=Xr,this.normalScale=new Nt(1,1),this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new Bn,this.combine=Xa,this.reflectivity=1,this.envMapIntensity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.flatShading=!1,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.emissive.copy(t.emissive),this.emissiveMap=t.emissiveMap,this.emissiveIntensity=t.emissiveIntensity,this.bumpMap=t.bumpMap,this.bumpScale=t.bumpScale,this.normalMap=t.normalMap,this.normalMapType=t.normalMapType,this.normalScale.copy(t.normalScale),this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.specularMap=t.specularMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.combine=t.combine,this.reflectivity=t.reflectivity,this.envMapIntensity=t.envMapIntensity,this.refractionRatio=t.refractionRatio,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.flatShading=t.flatShading,this.fog=t.fog,this}},Ia=class extends Pn{constructor(t){super(),this.isMeshDepthMaterial=!0,this.type="MeshDepthMaterial",this.depthPacking=Xf,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.wireframe=!1,this.wireframeLinewidth=1,this.setValues(t)}copy(t){return super.copy(t),this.depthPacking=t.depthPacking,this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this}},La=class extends Pn{constructor(t){super(),this.isMeshDistanceMaterial=!0,this.type="MeshDistanceMaterial",this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.setValues(t)}copy(t){return super.copy(t),this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this}};function Cs(i,t){return!i||i.constructor===t?i:typeof t.BYTES_PER_ELEMENT=="number"?new t(i):Array.prototype.slice.call(i)}function ca(i){return i!==void 0&&i.inTangents!==void 0&&i.outTangents!==void 0}var Ai=class{constructor(t,e,n,s){this.parameterPositions=t,this._cachedIndex=0,this.resultBuffer=s!==void 0?s:new e.constructor(n),this.sampleValues=e,this.valueSize=n,this.settings=null,this.DefaultSettings_={}}evaluate(t){let e=this.parameterPositions,n=this._cachedIndex,s=e[n],r=e[n-1];n:{t:{let o;e:{i:if(!(t<s)){for(let a=n+2;;){if(s===void 0){if(t<r)break i;return n=e.length,this._cachedIndex=n,this.copySampleValue_(n-1)}if(n===a)break;if(r=s,s=e[++n],t<s)break t}o=e.length;break e}if(!(t>=r)){let a=e[1];t<a&&(n=2,r=a);for(let l=n-2;;){if(r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(n===l)break;if(s=r,r=e[--n-1],t>=r)break t}o=n,n=0;break e}break n}for(;n<o;){let a=n+o>>>1;t<e[a]?o=a:n=a+1}if(s=e[n],r=e[n-1],r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(s===void 0)return n=e.length,this._cachedIndex=n,this.copySampleValue_(n-1)}this._cachedIndex=n,this.intervalChanged_(n,r,s)}return this.interpolate_(n,r,t,s)}getSettings_(){return this.settings||this.DefaultSettings_}copySampleValue_(t){let e=this.resultBuffer,n=this.sampleValues,s=this.valueSize,r=t*s;for(let o=0;o!==s;++o)e[o]=n[r+o];return e}interpolate_(){throw new Error("THREE.Interpolant: Call to abstract method.")}intervalChanged_(){}},Na=class extends Ai{constructor(t,e,n,s){super(t,e,n,s),this._weightPrev=-0,this._offsetPrev=-0,this._weightNext=-0,this._offsetNext=-0,this.DefaultSettings_={endingStart:ih,endingEnd:ih}}intervalChanged_(t,e,n){let s=this.parameterPositions,r=t-2,o=t+1,a=s[r],l=s[o];if(a===void 0)switch(this.getSettings_().endingStart){case sh:r=t,a=2*e-n;break;case rh:r=s.length-2,a=e+s[r]-s[r+1];break;default:r=t,a=n}if(l===void 0)switch(this.getSettings_().endingEnd){case sh:o=t,l=2*n-e;break;case rh:o=1,l=n+s[1]-s[0];break;default:o=t-1,l=e}let c=(n-e)*.5,h=this.valueSize;this._weightPrev=c/(e-a),this._weightNext=c/(l-n),this._offsetPrev=r*h,this._offsetNext=o*h}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=this._offsetPrev,u=this._offsetNext,d=this._weightPrev,f=this._weightNext,g=(n-e)/(s-e),y=g*g,m=y*g,p=-d*m+2*d*y-d*g,b=(1+d)*m+(-1.5-2*d)*y+(-.5+d)*g+1,E=(-1-f)*m+(1.5+f)*y+.5*g,S=f*m-f*y;for(let A=0;A!==a;++A)r[A]=p*o[h+A]+b*o[c+A]+E*o[l+A]+S*o[u+A];return r}},Da=class extends Ai{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=(n-e)/(s-e),u=1-h;for(let d=0;d!==a;++d)r[d]=o[c+d]*u+o[l+d]*h;return r}},Ua=class extends Ai{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t){return this.copySampleValue_(t-1)}},Oa=class extends Ai{interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=this.inTangents,u=this.outTangents;if(!h||!u){let g=(n-e)/(s-e),y=1-g;for(let m=0;m!==a;++m)r[m]=o[c+m]*y+o[l+m]*g;return r}let d=a*2,f=t-1;for(let g=0;g!==a;++g){let y=o[c+g],m=o[l+g],p=f*d+g*2,b=u[p],E=u[p+1],S=t*d+g*2,A=h[S],T=h[S+1],x=b0(n,e,b,A,s);r[g]=lp(x,y,E,T,m)}return r}};function lp(i,t,e,n,s){let r=1-i;return r*r*r*t+3*r*r*i*e+3*r*i*i*n+i*i*i*s}function _0(i,t,e,n,s){let r=1-i;return 3*r*r*(e-t)+6*r*i*(n-e)+3*i*i*(s-n)}function b0(i,t,e,n,s){let r=(i-t)/(s-t);for(let o=0;o<8;o++){let a=lp(r,t,e,n,s)-i;if(Math.abs(a)<1e-10)break;let l=_0(r,t,e,n,s);if(Math.abs(l)<1e-10)break;r=Math.max(0,Math.min(1,r-a/l))}return r}var cn=class{constructor(t,e,n,s){if(t===void 0)throw new Error("THREE.KeyframeTrack: track name is undefined");if(e===void 0||e.length===0)throw new Error("THREE.KeyframeTrack: no keyframes in track named "+t);this.name=t,this.times=Cs(e,this.TimeBufferType),this.values=Cs(n,this.ValueBufferType),this.setInterpolation(s||this.DefaultInterpolation)}static toJSON(t){let e=t.constructor,n;if(e.toJSON!==this.toJSON)n=e.toJSON(t);else{n={name:t.name,times:Cs(t.times,Array),values:Cs(t.values,Array)};let s=t.getInterpolation();s!==t.DefaultInterpolation&&(n.interpolation=s),ca(t.settings)&&(n.settings={inTangents:Cs(t.settings.inTangents,Array),outTangents:Cs(t.settings.outTangents,Array)})}return n.type=t.ValueTypeName,n}InterpolantFactoryMethodDiscrete(t){return new Ua(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodLinear(t){return new Da(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodSmooth(t){return new Na(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodBezier(t){let e=new Oa(this.times,this.values,this.getValueSize(),t);return this.settings&&(e.inTangents=this.settings.inTangents,e.outTangents=this.settings.outTangents),e}setInterpolation(t){let e;switch(t){case ur:e=this.InterpolantFactoryMethodDiscrete;break;case Sa:e=this.InterpolantFactoryMethodLinear;break;case da:e=this.InterpolantFactoryMethodSmooth;break;case nh:e=this.InterpolantFactoryMethodBezier;break}if(e===void 0){let n="unsupported interpolation for "+this.ValueTypeName+" keyframe track named "+this.name;if(this.createInterpolant===void 0)if(t!==this.DefaultInterpolation)this.setInterpolation(this.DefaultInterpolation);else throw new Error(n);return Ct("KeyframeTrack:",n),this}return this.createInterpolant=e,this}getInterpolation(){switch(this.createInterpolant){case this.InterpolantFactoryMethodDiscrete:return ur;case this.InterpolantFactoryMethodLinear:return Sa;case this.InterpolantFactoryMethodSmooth:return da;case this.InterpolantFactoryMethodBezier:return nh}}getValueSize(){return this.values.length/this.times.length}shift(t){if(t!==0){let e=this.times;for(let n=0,s=e.length;n!==s;++n)e[n]+=t;ca(this.settings)&&(mf(this.settings.inTangents,t),mf(this.settings.outTangents,t))}return this}scale(t){if(t!==1){let e=this.times;for(let n=0,s=e.length;n!==s;++n)e[n]*=t;ca(this.settings)&&(gf(this.settings.inTangents,t),gf(this.settings.outTangents,t))}return this}trim(t,e){let n=this.times,s=n.length,r=0,o=s-1;for(;r!==s&&n[r]<t;)++r;for(;o!==-1&&n[o]>e;)--o;if(++o,r!==0||o!==s){r>=o&&(o=Math.max(o,1),r=o-1);let a=this.getValueSize();this.times=n.slice(r,o),this.values=this.values.slice(r*a,o*a)}return this}validate(){let t=!0,e=this.getValueSize();e-Math.floor(e)!==0&&(Ut("KeyframeTrack: Invalid value size in track.",this),t=!1);let n=this.times,s=this.values,r=n.length;r===0&&(Ut("KeyframeTrack: Track is empty.",this),t=!1);let o=null;for(let a=0;a!==r;a++){let l=n[a];if(typeof l=="number"&&isNaN(l)){Ut("KeyframeTrack: Time is not a valid number.",this,a,l),t=!1;break}if(o!==null&&o>l){Ut("KeyframeTrack: Out of order keys.",this,a,l,o),t=!1;break}o=l}if(s!==void 0&&Og(s))for(let a=0,l=s.length;a!==l;++a){let c=s[a];if(isNaN(c)){Ut("KeyframeTrack: Value is not a valid number.",this,a,c),t=!1;break}}return t}optimize(){let t=this.times.slice(),e=this.values.slice(),n=this.getValueSize(),s=this.getInterpolation()===da,r=t.length-1,o=1;for(let a=1;a<r;++a){let l=!1,c=t[a],h=t[a+1];if(c!==h&&(a!==1||c!==t[0]))if(s)l=!0;else{let u=a*n,d=u-n,f=u+n;for(let g=0;g!==n;++g){let y=e[u+g];if(y!==e[d+g]||y!==e[f+g]){l=!0;break}}}if(l){if(a!==o){t[o]=t[a];let u=a*n,d=o*n;for(let f=0;f!==n;++f)e[d+f]=e[u+f]}++o}}if(r>0){t[o]=t[r];for(let a=r*n,l=o*n,c=0;c!==n;++c)e[l+c]=e[a+c];++o}return o!==t.length?(this.times=t.slice(0,o),this.values=e.slice(0,o*n)):(this.times=t,this.values=e),this}clone(){let t=this.times.slice(),e=this.values.slice(),n=this.constructor,s=new n(this.name,t,e);return s.createInterpolant=this.createInterpolant,ca(this.settings)&&(s.settings={inTangents:this.settings.inTangents.slice(),outTangents:this.settings.outTangents.slice()}),s}};function mf(i,t){for(let e=0,n=i.length;e!==n;e+=2)i[e]+=t}function gf(i,t){for(let e=0,n=i.length;e!==n;e+=2)i[e]*=t}cn.prototype.ValueTypeName="";cn.prototype.TimeBufferType=Float32Array;cn.prototype.ValueBufferType=Float32Array;cn.prototype.DefaultInterpolation=Sa;var Ci=class extends cn{constructor(t,e,n){super(t,e,n)}};Ci.prototype.ValueTypeName="bool";Ci.prototype.ValueBufferType=Array;Ci.prototype.DefaultInterpolation=ur;Ci.prototype.InterpolantFactoryMethodLinear=void 0;Ci.prototype.InterpolantFactoryMethodSmooth=void 0;var Fa=class extends cn{constructor(t,e,n,s){super(t,e,n,s)}};Fa.prototype.ValueTypeName="color";var ka=class extends cn{constructor(t,e,n,s){super(t,e,n,s)}};ka.prototype.ValueTypeName="number";var Ba=class extends Ai{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=(n-e)/(s-e),c=t*a;for(let h=c+a;c!==h;c+=4)ye.slerpFlat(r,0,o,c-a,o,c,l);return r}},Pr=class extends cn{constructor(t,e,n,s){super(t,e,n,s)}InterpolantFactoryMethodLinear(t){return new Ba(this.times,this.values,this.getValueSize(),t)}};Pr.prototype.ValueTypeName="quaternion";Pr.prototype.InterpolantFactoryMethodSmooth=void 0;var Ri=class extends cn{constructor(t,e,n){super(t,e,n)}};Ri.prototype.ValueTypeName="string";Ri.prototype.ValueBufferType=Array;Ri.prototype.DefaultInterpolation=ur;Ri.prototype.InterpolantFactoryMethodLinear=void 0;Ri.prototype.InterpolantFactoryMethodSmooth=void 0;var za=class extends cn{constructor(t,e,n,s){super(t,e,n,s)}};za.prototype.ValueTypeName="vector";var Va=class{constructor(t,e,n){let s=this,r=!1,o=0,a=0,l,c=[];this.onStart=void 0,this.onLoad=t,this.onProgress=e,this.onError=n,this._abortController=null,this.itemStart=function(h){a++,r===!1&&s.onStart!==void 0&&s.onStart(h,o,a),r=!0},this.itemEnd=function(h){o++,s.onProgress!==void 0&&s.onProgress(h,o,a),o===a&&(r=!1,s.onLoad!==void 0&&s.onLoad())},this.itemError=function(h){s.onError!==void 0&&s.onError(h)},this.resolveURL=function(h){return h=h.normalize("NFC"),l?l(h):h},this.setURLModifier=function(h){return l=h,this},this.addHandler=function(h,u){return c.push(h,u),this},this.removeHandler=function(h){let u=c.indexOf(h);return u!==-1&&c.splice(u,2),this},this.getHandler=function(h){for(let u=0,d=c.length;u<d;u+=2){let f=c[u],g=c[u+1];if(f.global&&(f.lastIndex=0),f.test(h))return g}return null},this.abort=function(){return this.abortController.abort(),this._abortController=null,this}}get abortController(){return this._abortController||(this._abortController=new AbortController),this._abortController}},cp=new Va,Ha=class{constructor(t){this.manager=t!==void 0?t:cp,this.crossOrigin="anonymous",this.withCredentials=!1,this.path="",this.resourcePath="",this.requestHeader={},this.priority="auto",this.cache="default",typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}load(){}loadAsync(t,e){let n=this;return new Promise(function(s,r){n.load(t,s,e,r)})}parse(){}setCrossOrigin(t){return this.crossOrigin=t,this}setWithCredentials(t){return this.withCredentials=t,this}setPath(t){return this.path=t,this}setResourcePath(t){return this.resourcePath=t,this}setRequestHeader(t){return this.requestHeader=t,this}setPriority(t){return this.priority=t,this}setCache(t){return this.cache=t,this}abort(){return this}};Ha.DEFAULT_MATERIAL_NAME="__DEFAULT";var Vs=class extends ke{static registerNode(t){this.prototype._lightNode=t}constructor(t,e=1){super(),this.isLight=!0,this.type="Light",this.color=new Dt(t),this.intensity=e}copy(t,e){return super.copy(t,e),this.color.copy(t.color),this.intensity=t.intensity,this}toJSON(t){let e=super.toJSON(t);return e.object.color=this.color.getHex(),e.object.intensity=this.intensity,e}},Ir=class extends Vs{constructor(t,e,n){super(t,n),this.isHemisphereLight=!0,this.type="HemisphereLight",this.position.copy(ke.DEFAULT_UP),this.updateMatrix(),this.groundColor=new Dt(e)}copy(t,e){return super.copy(t,e),this.groundColor.copy(t.groundColor),this}toJSON(t){let e=super.toJSON(t);return e.object.groundColor=this.groundColor.getHex(),e}},eh=new Zt,xf=new I,vf=new I,Ga=class{constructor(t){this.camera=t,this.intensity=1,this.bias=0,this.biasNode=null,this.normalBias=0,this.radius=1,this.blurSamples=8,this.mapSize=new Nt(512,512),this.mapType=tn,this.map=null,this.mapPass=null,this.matrix=new Zt,this.autoUpdate=!0,this.needsUpdate=!1,this._frustum=new Ei,this._frameExtents=new Nt(1,1),this._viewportCount=1,this._viewports=[new me(0,0,1,1)]}getViewportCount(){return this._viewportCount}getCamera(){return this.camera}getFrustum(){return this._frustum}updateMatrices(t){let e=this.camera;xf.setFromMatrixPosition(t.matrixWorld),e.position.copy(xf),vf.setFromMatrixPosition(t.target.matrixWorld),e.lookAt(vf),e.updateMatrixWorld(),this._updateMatrix(e,this.matrix,this._frustum)}_updateMatrix(t,e,n,s){eh.multiplyMatrices(t.projectionMatrix,t.matrixWorldInverse),n.setFromProjectionMatrix(eh,t.coordinateSystem,t.reversedDepth);let r=this._frameExtents,o=s?s.z/r.x:1,a=s?s.w/r.y:1,l=s?s.x/r.x:0,c=s?s.y/r.y:0;t.coordinateSystem===Ns||t.reversedDepth?e.set(.5*o,0,0,.5*o+l,0,.5*a,0,.5*a+c,0,0,1,0,0,0,0,1):e.set(.5*o,0,0,.5*o+l,0,.5*a,0,.5*a+c,0,0,.5,.5,0,0,0,1),e.multiply(eh)}getViewport(t){return this._viewports[t]}getFrameExtents(){return this._frameExtents}dispose(){this.map&&this.map.dispose(),this.mapPass&&this.mapPass.dispose()}copy(t){return this.camera=t.camera.clone(),this.intensity=t.intensity,this.bias=t.bias,this.radius=t.radius,this.autoUpdate=t.autoUpdate,this.needsUpdate=t.needsUpdate,this.normalBias=t.normalBias,this.blurSamples=t.blurSamples,this.mapSize.copy(t.mapSize),this.mapType=t.mapType,this.biasNode=t.biasNode,this}clone(){return new this.constructor().copy(this)}toJSON(){let t={};return t.intensity=this.intensity,t.bias=this.bias,t.normalBias=this.normalBias,t.radius=this.radius,t.blurSamples=this.blurSamples,t.mapSize=this.mapSize.toArray(),t.mapType=this.mapType,t.camera=this.camera.toJSON(!1).object,delete t.camera.matrix,t}},ha=new I,ua=new ye,Fn=new I,Lr=class extends ke{constructor(){super(),this.isCamera=!0,this.type="Camera",this.matrixWorldInverse=new Zt,this.projectionMatrix=new Zt,this.projectionMatrixInverse=new Zt,this.coordinateSystem=yn,this._reversedDepth=!1}get reversedDepth(){return this._reversedDepth}copy(t,e){return super.copy(t,e),this.matrixWorldInverse.copy(t.matrixWorldInverse),this.projectionMatrix.copy(t.projectionMatrix),this.projectionMatrixInverse.copy(t.projectionMatrixInverse),this.coordinateSystem=t.coordinateSystem,this}getWorldDirection(t){return super.getWorldDirection(t).negate()}updateMatrixWorld(t){super.updateMatrixWorld(t),this.matrixWorld.decompose(ha,ua,Fn),Fn.x===1&&Fn.y===1&&Fn.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(ha,ua,Fn.set(1,1,1)).invert()}updateWorldMatrix(t,e,n=!1){super.updateWorldMatrix(t,e,n),this.matrixWorld.decompose(ha,ua,Fn),Fn.x===1&&Fn.y===1&&Fn.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(ha,ua,Fn.set(1,1,1)).invert()}clone(){return new this.constructor().copy(this)}},Si=new I,yf=new Nt,_f=new Nt,$e=class extends Lr{constructor(t=50,e=1,n=.1,s=2e3){super(),this.isPerspectiveCamera=!0,this.type="PerspectiveCamera",this.fov=t,this.zoom=1,this.near=n,this.far=s,this.focus=10,this.aspect=e,this.view=null,this.filmGauge=35,this.filmOffset=0,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.fov=t.fov,this.zoom=t.zoom,this.near=t.near,this.far=t.far,this.focus=t.focus,this.aspect=t.aspect,this.view=t.view===null?null:Object.assign({},t.view),this.filmGauge=t.filmGauge,this.filmOffset=t.filmOffset,this}setFocalLength(t){let e=.5*this.getFilmHeight()/t;this.fov=Us*2*Math.atan(e),this.updateProjectionMatrix()}getFocalLength(){let t=Math.tan(cr*.5*this.fov);return .5*this.getFilmHeight()/t}getEffectiveFOV(){return Us*2*Math.atan(Math.tan(cr*.5*this.fov)/this.zoom)}getFilmWidth(){return this.filmGauge*Math.min(this.aspect,1)}getFilmHeight(){return this.filmGauge/Math.max(this.aspect,1)}getViewBounds(t,e,n){Si.set(-1,-1,.5).applyMatrix4(this.projectionMatrixInverse),e.set(Si.x,Si.y).multiplyScalar(-t/Si.z),Si.set(1,1,.5).applyMatrix4(this.projectionMatrixInverse),n.set(Si.x,Si.y).multiplyScalar(-t/Si.z)}getViewSize(t,e){return this.getViewBounds(t,yf,_f),e.subVectors(_f,yf)}setViewOffset(t,e,n,s,r,o){this.aspect=t/e,this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let t=this.near,e=t*Math.tan(cr*.5*this.fov)/this.zoom,n=2*e,s=this.aspect*n,r=-.5*s,o=this.view;if(this.view!==null&&this.view.enabled){let l=o.fullWidth,c=o.fullHeight;r+=o.offsetX*s/l,e-=o.offsetY*n/c,s*=o.width/l,n*=o.height/c}let a=this.filmOffset;a!==0&&(r+=t*a/this.getFilmWidth()),this.projectionMatrix.makePerspective(r,r+s,e,e-n,t,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){let e=super.toJSON(t);return e.object.fov=this.fov,e.object.zoom=this.zoom,e.object.near=this.near,e.object.far=this.far,e.object.focus=this.focus,e.object.aspect=this.aspect,this.view!==null&&(e.object.view=Object.assign({},this.view)),e.object.filmGauge=this.filmGauge,e.object.filmOffset=this.filmOffset,e}};var Nr=class extends Lr{constructor(t=-1,e=1,n=1,s=-1,r=.1,o=2e3){super(),this.isOrthographicCamera=!0,this.type="OrthographicCamera",this.zoom=1,this.view=null,this.left=t,this.right=e,this.top=n,this.bottom=s,this.near=r,this.far=o,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.left=t.left,this.right=t.right,this.top=t.top,this.bottom=t.bottom,this.near=t.near,this.far=t.far,this.zoom=t.zoom,this.view=t.view===null?null:Object.assign({},t.view),this}setViewOffset(t,e,n,s,r,o){this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let t=(this.right-this.left)/(2*this.zoom),e=(this.top-this.bottom)/(2*this.zoom),n=(this.right+this.left)/2,s=(this.top+this.bottom)/2,r=n-t,o=n+t,a=s+e,l=s-e;if(this.view!==null&&this.view.enabled){let c=(this.right-this.left)/this.view.fullWidth/this.zoom,h=(this.top-this.bottom)/this.view.fullHeight/this.zoom;r+=c*this.view.offsetX,o=r+c*this.view.width,a-=h*this.view.offsetY,l=a-h*this.view.height}this.projectionMatrix.makeOrthographic(r,o,a,l,this.near,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){let e=super.toJSON(t);return e.object.zoom=this.zoom,e.object.left=this.left,e.object.right=this.right,e.object.top=this.top,e.object.bottom=this.bottom,e.object.near=this.near,e.object.far=this.far,this.view!==null&&(e.object.view=Object.assign({},this.view)),e}},oh=class extends Ga{constructor(){super(new Nr(-5,5,5,-5,.5,500)),this.isDirectionalLightShadow=!0}},Dr=class extends Vs{constructor(t,e){super(t,e),this.isDirectionalLight=!0,this.type="DirectionalLight",this.position.copy(ke.DEFAULT_UP),this.updateMatrix(),this.target=new ke,this.shadow=new oh}dispose(){super.dispose(),this.shadow.dispose()}copy(t){return super.copy(t),this.target=t.target.clone(),this.shadow=t.shadow.clone(),this}toJSON(t){let e=super.toJSON(t);return e.object.shadow=this.shadow.toJSON(),e.object.target=this.target.uuid,e}},Ur=class extends Vs{constructor(t,e){super(t,e),this.isAmbientLight=!0,this.type="AmbientLight"}};var Rs=-90,Ps=1,Hs=class extends ke{constructor(t,e,n){super(),this.type="CubeCamera",this.renderTarget=n,this.coordinateSystem=null,this.activeMipmapLevel=0;let s=new $e(Rs,Ps,t,e);s.layers=this.layers,this.add(s);let r=new $e(Rs,Ps,t,e);r.layers=this.layers,this.add(r);let o=new $e(Rs,Ps,t,e);o.layers=this.layers,this.add(o);let a=new $e(Rs,Ps,t,e);a.layers=this.layers,this.add(a);let l=new $e(Rs,Ps,t,e);l.layers=this.layers,this.add(l);let c=new $e(Rs,Ps,t,e);c.layers=this.layers,this.add(c)}updateCoordinateSystem(){let t=this.coordinateSystem,e=this.children.concat(),[n,s,r,o,a,l]=e;for(let c of e)this.remove(c);if(t===yn)n.up.set(0,1,0),n.lookAt(1,0,0),s.up.set(0,1,0),s.lookAt(-1,0,0),r.up.set(0,0,-1),r.lookAt(0,1,0),o.up.set(0,0,1),o.lookAt(0,-1,0),a.up.set(0,1,0),a.lookAt(0,0,1),l.up.set(0,1,0),l.lookAt(0,0,-1);else if(t===Ns)n.up.set(0,-1,0),n.lookAt(-1,0,0),s.up.set(0,-1,0),s.lookAt(1,0,0),r.up.set(0,0,1),r.lookAt(0,1,0),o.up.set(0,0,-1),o.lookAt(0,-1,0),a.up.set(0,-1,0),a.lookAt(0,0,1),l.up.set(0,-1,0),l.lookAt(0,0,-1);else throw new Error("THREE.CubeCamera.updateCoordinateSystem(): Invalid coordinate system: "+t);for(let c of e)this.add(c),c.updateMatrixWorld()}update(t,e){this.parent===null&&this.updateMatrixWorld();let{renderTarget:n,activeMipmapLevel:s}=this;this.coordinateSystem!==t.coordinateSystem&&(this.coordinateSystem=t.coordinateSystem,this.updateCoordinateSystem());let[r,o,a,l,c,h]=this.children,u=t.getRenderTarget(),d=t.getActiveCubeFace(),f=t.getActiveMipmapLevel(),g=t.xr.enabled;t.xr.enabled=!1;let y=n.texture.mipmapsAutoUpdate;n.texture.mipmapsAutoUpdate=!1;let m=!1;t.isWebGLRenderer===!0?m=t.state.buffers.depth.getReversed():m=t.reversedDepthBuffer,t.setRenderTarget(n,0,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,r),t.setRenderTarget(n,1,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,o),t.setRenderTarget(n,2,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,a),t.setRenderTarget(n,3,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,l),t.setRenderTarget(n,4,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,c),n.texture.mipmapsAutoUpdate=y,t.setRenderTarget(n,5,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,h),t.setRenderTarget(u,d,f),t.xr.enabled=g,n.texture.needsPMREMUpdate=!0}},Wa=class extends $e{constructor(t=[]){super(),this.isArrayCamera=!0,this.isMultiViewCamera=!1,this.cameras=t,this.perCameraFrustumCulled=!1}};var zh="\\[\\]\\.:\\/",M0=new RegExp("["+zh+"]","g"),Vh="[^"+zh+"]",S0="[^"+zh.replace("\\.","")+"]",w0=/((?:WC+[\/:])*)/.source.replace("WC",Vh),T0=/(WCOD+)?/.source.replace("WCOD",S0),E0=/(?:\.(WC+)(?:\[(.+)\])?)?/.source.replace("WC",Vh),A0=/\.(WC+)(?:\[(.+)\])?/.source.replace("WC",Vh),C0=new RegExp("^"+w0+T0+E0+A0+"$"),R0=["material","materials","bones","map"],ah=class{constructor(t,e,n){let s=n||de.parseTrackName(e);this._targetGroup=t,this._bindings=t.subscribe_(e,s)}getValue(t,e){this.bind();let n=this._targetGroup.nCachedObjects_,s=this._bindings[n];s!==void 0&&s.getValue(t,e)}setValue(t,e){let n=this._bindings;for(let s=this._targetGroup.nCachedObjects_,r=n.length;s!==r;++s)n[s].setValue(t,e)}bind(){let t=this._bindings;for(let e=this._targetGroup.nCachedObjects_,n=t.length;e!==n;++e)t[e].bind()}unbind(){let t=this._bindings;for(let e=this._targetGroup.nCachedObjects_,n=t.length;e!==n;++e)t[e].unbind()}},de=class i{constructor(t,e,n){this.path=e,this.parsedPath=n||i.parseTrackName(e),this.node=i.findNode(t,this.parsedPath.nodeName),this.rootNode=t,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}static create(t,e,n){return t&&t.isAnimationObjectGroup?new i.Composite(t,e,n):new i(t,e,n)}static sanitizeNodeName(t){return t.replace(/\s/g,"_").replace(M0,"")}static parseTrackName(t){let e=C0.exec(t);if(e===null)throw new Error("THREE.PropertyBinding: Cannot parse trackName: "+t);let n={nodeName:e[2],objectName:e[3],objectIndex:e[4],propertyName:e[5],propertyIndex:e[6]},s=n.nodeName&&n.nodeName.lastIndexOf(".");if(s!==void 0&&s!==-1){let r=n.nodeName.substring(s+1);R0.indexOf(r)!==-1&&(n.nodeName=n.nodeName.substring(0,s),n.objectName=r)}if(n.propertyName===null||n.propertyName.length===0)throw new Error("THREE.PropertyBinding: can not parse propertyName from trackName: "+t);return n}static findNode(t,e){if(e===void 0||e===""||e==="."||e===-1||e===t.name||e===t.uuid)return t;if(t.skeleton){let n=t.skeleton.getBoneByName(e);if(n!==void 0)return n}if(t.children){let n=function(r){for(let o=0;o<r.length;o++){let a=r[o];if(a.name===e||a.uuid===e)return a;let l=n(a.children);if(l)return l}return null},s=n(t.children);if(s)return s}return null}_getValue_unavailable(){}_setValue_unavailable(){}_getValue_direct(t,e){t[e]=this.targetObject[this.propertyName]}_getValue_array(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)t[e++]=n[s]}_getValue_arrayElement(t,e){t[e]=this.resolvedProperty[this.propertyIndex]}_getValue_toArray(t,e){this.resolvedProperty.toArray(t,e)}_setValue_direct(t,e){this.targetObject[this.propertyName]=t[e]}_setValue_direct_setNeedsUpdate(t,e){this.targetObject[this.propertyName]=t[e],this.targetObject.needsUpdate=!0}_setValue_direct_setMatrixWorldNeedsUpdate(t,e){this.targetObject[this.propertyName]=t[e],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_array(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++]}_setValue_array_setNeedsUpdate(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++];this.targetObject.needsUpdate=!0}_setValue_array_setMatrixWorldNeedsUpdate(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++];this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_arrayElement(t,e){this.resolvedProperty[this.propertyIndex]=t[e]}_setValue_arrayElement_setNeedsUpdate(t,e){this.resolvedProperty[this.propertyIndex]=t[e],this.targetObject.needsUpdate=!0}_setValue_arrayElement_setMatrixWorldNeedsUpdate(t,e){this.resolvedProperty[this.propertyIndex]=t[e],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_fromArray(t,e){this.resolvedProperty.fromArray(t,e)}_setValue_fromArray_setNeedsUpdate(t,e){this.resolvedProperty.fromArray(t,e),this.targetObject.needsUpdate=!0}_setValue_fromArray_setMatrixWorldNeedsUpdate(t,e){this.resolvedProperty.fromArray(t,e),this.targetObject.matrixWorldNeedsUpdate=!0}_getValue_unbound(t,e){this.bind(),this.getValue(t,e)}_setValue_unbound(t,e){this.bind(),this.setValue(t,e)}bind(){let t=this.node,e=this.parsedPath,n=e.objectName,s=e.propertyName,r=e.propertyIndex;if(t||(t=i.findNode(this.rootNode,e.nodeName),this.node=t),this.getValue=this._getValue_unavailable,this.setValue=this._setValue_unavailable,!t){Ct("PropertyBinding: No target node found for track: "+this.path+".");return}if(n){let c=e.objectIndex;switch(n){case"materials":if(!t.material){Ut("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!t.material.materials){Ut("PropertyBinding: Can not bind to material.materials as node.material does not have a materials array.",this);return}t=t.material.materials;break;case"bones":if(!t.skeleton){Ut("PropertyBinding: Can not bind to bones as node does not have a skeleton.",this);return}t=t.skeleton.bones;for(let h=0;h<t.length;h++)if(t[h].name===c){c=h;break}break;case"map":if("map"in t){t=t.map;break}if(!t.material){Ut("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!t.material.map){Ut("PropertyBinding: Can not bind to material.map as node.material does not have a map.",this);return}t=t.material.map;break;default:if(t[n]===void 0){Ut("PropertyBinding: Can not bind to objectName of node undefined.",this);return}t=t[n]}if(c!==void 0){if(t[c]===void 0){Ut("PropertyBinding: Trying to bind to objectIndex of objectName, but is undefined.",this,t);return}t=t[c]}}let o=t[s];if(o===void 0){let c=e.nodeName;Ut("PropertyBinding: Trying to update property for track: "+c+"."+s+" but it wasn't found.",t);return}let a=this.Versioning.None;this.targetObject=t,t.isMaterial===!0?a=this.Versioning.NeedsUpdate:t.isObject3D===!0&&(a=this.Versioning.MatrixWorldNeedsUpdate);let l=this.BindingType.Direct;if(r!==void 0){if(s==="morphTargetInfluences"){if(!t.geometry){Ut("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.",this);return}if(!t.geometry.morphAttributes){Ut("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.morphAttributes.",this);return}t.morphTargetDictionary[r]!==void 0&&(r=t.morphTargetDictionary[r])}l=this.BindingType.ArrayElement,this.resolvedProperty=o,this.propertyIndex=r}else o.fromArray!==void 0&&o.toArray!==void 0?(l=this.BindingType.HasFromToArray,this.resolvedProperty=o):Array.isArray(o)?(l=this.BindingType.EntireArray,this.resolvedProperty=o):this.propertyName=s;this.getValue=this.GetterByBindingType[l],this.setValue=this.SetterByBindingTypeAndVersioning[l][a]}unbind(){this.node=null,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}};de.Composite=ah;de.prototype.BindingType={Direct:0,EntireArray:1,ArrayElement:2,HasFromToArray:3};de.prototype.Versioning={None:0,NeedsUpdate:1,MatrixWorldNeedsUpdate:2};de.prototype.GetterByBindingType=[de.prototype._getValue_direct,de.prototype._getValue_array,de.prototype._getValue_arrayElement,de.prototype._getValue_toArray];de.prototype.SetterByBindingTypeAndVersioning=[[de.prototype._setValue_direct,de.prototype._setValue_direct_setNeedsUpdate,de.prototype._setValue_direct_setMatrixWorldNeedsUpdate],[de.prototype._setValue_array,de.prototype._setValue_array_setNeedsUpdate,de.prototype._setValue_array_setMatrixWorldNeedsUpdate],[de.prototype._setValue_arrayElement,de.prototype._setValue_arrayElement_setNeedsUpdate,de.prototype._setValue_arrayElement_setMatrixWorldNeedsUpdate],[de.prototype._setValue_fromArray,de.prototype._setValue_fromArray_setNeedsUpdate,de.prototype._setValue_fromArray_setMatrixWorldNeedsUpdate]];var e1=new Float32Array(1);var Pi=class{constructor(t=1,e=0,n=0){this.radius=t,this.phi=e,this.theta=n}set(t,e,n){return this.radius=t,this.phi=e,this.theta=n,this}copy(t){return this.radius=t.radius,this.phi=t.phi,this.theta=t.theta,this}makeSafe(){return this.phi=Yt(this.phi,1e-6,Math.PI-1e-6),this}setFromVector3(t){return this.setFromCartesianCoords(t.x,t.y,t.z)}setFromCartesianCoords(t,e,n){return this.radius=Math.sqrt(t*t+e*e+n*n),this.radius===0?(this.theta=0,this.phi=0):(this.theta=Math.atan2(t,n),this.phi=Math.acos(Yt(e/this.radius,-1,1))),this}clone(){return new this.constructor().copy(this)}};var lh=class{static{this.prototype.isMatrix2=!0}constructor(t,e,n,s){this.elements=[1,0,0,1],t!==void 0&&this.set(t,e,n,s)}identity(){return this.set(1,0,0,1),this}fromArray(t,e=0){for(let n=0;n<4;n++)this.elements[n]=t[n+e];return this}set(t,e,n,s){let r=this.elements;return r[0]=t,r[2]=e,r[1]=n,r[3]=s,this}};var Or=class extends Bs{constructor(t=1){let e=[0,0,0,t,0,0,0,0,0,0,t,0,0,0,0,0,0,t],n=[1,0,0,1,.6,0,0,1,0,.6,1,0,0,0,1,0,.6,1],s=new Te;s.setAttribute("position",new ae(e,3)),s.setAttribute("color",new ae(n,3));let r=new li({vertexColors:!0,toneMapped:!1});super(s,r),this.type="AxesHelper"}setColors(t,e,n){let s=new Dt,r=this.geometry.attributes.color.array;return s.set(t),s.toArray(r,0),s.toArray(r,3),s.set(e),s.toArray(r,6),s.toArray(r,9),s.set(n),s.toArray(r,12),s.toArray(r,15),this.geometry.attributes.color.needsUpdate=!0,this}dispose(){super.dispose(),this.geometry.dispose(),this.material.dispose()}};var Fr=class extends Rn{constructor(t,e=null){super(),this.object=t,this.domElement=e,this.enabled=!0,this.state=-1,this.keys={},this.mouseButtons={LEFT:null,MIDDLE:null,RIGHT:null},this.touches={ONE:null,TWO:null}}connect(t){this.domElement!==null&&this.disconnect(),this.domElement=t}disconnect(){}dispose(){}update(){}};function Hh(i,t,e,n){let s=P0(n);switch(e){case Ah:return i*t;case ja:return i*t/s.components*s.byteLength;case Qa:return i*t/s.components*s.byteLength;case Di:return i*t*2/s.components*s.byteLength;case tl:return i*t*2/s.components*s.byteLength;case Ch:return i*t*3/s.components*s.byteLength;case Nn:return i*t*4/s.components*s.byteLength;case el:return i*t*4/s.components*s.byteLength;case Br:case zr:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*8;case Vr:case Hr:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case il:case rl:return Math.max(i,16)*Math.max(t,8)/4;case nl:case sl:return Math.max(i,8)*Math.max(t,8)/2;case ol:case al:case cl:case hl:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*8;case ll:case Gr:case ul:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case dl:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case fl:return Math.floor((i+4)/5)*Math.floor((t+3)/4)*16;case pl:return Math.floor((i+4)/5)*Math.floor((t+4)/5)*16;case ml:return Math.floor((i+5)/6)*Math.floor((t+4)/5)*16;case gl:return Math.floor((i+5)/6)*Math.floor((t+5)/6)*16;case xl:return Math.floor((i+7)/8)*Math.floor((t+4)/5)*16;case vl:return Math.floor((i+7)/8)*Math.floor((t+5)/6)*16;case yl:return Math.floor((i+7)/8)*Math.floor((t+7)/8)*16;case _l:return Math.floor((i+9)/10)*Math.floor((t+4)/5)*16;case bl:return Math.floor((i+9)/10)*Math.floor((t+5)/6)*16;case Ml:return Math.floor((i+9)/10)*Math.floor((t+7)/8)*16;case Sl:return Math.floor((i+9)/10)*Math.floor((t+9)/10)*16;case wl:return Math.floor((i+11)/12)*Math.floor((t+9)/10)*16;case Tl:return Math.floor((i+11)/12)*Math.floor((t+11)/12)*16;case El:case Al:case Cl:return Math.ceil(i/4)*Math.ceil(t/4)*16;case Rl:case Pl:return Math.ceil(i/4)*Math.ceil(t/4)*8;case Wr:case Il:return Math.ceil(i/4)*Math.ceil(t/4)*16}throw new Error(`Unable to determine texture byte length for ${e} format.`)}function P0(i){switch(i){case tn:case Sh:return{byteLength:1,components:1};case $s:case wh:case Ln:return{byteLength:2,components:1};case Ka:case Ja:return{byteLength:2,components:4};case In:case Za:case _n:return{byteLength:4,components:1};case Th:case Eh:return{byteLength:4,components:3}}throw new Error(`THREE.TextureUtils: Unknown texture type ${i}.`)}typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("register",{detail:{revision:"187"}}));typeof window<"u"&&(window.__THREE__?Ct("WARNING: Multiple instances of Three.js being imported."):window.__THREE__="187");/**
 * @license
 * Copyright 2010-2026 Three.js Authors
 * SPDX-License-Identifier: MIT
 */function Ip(){let i=null,t=!1,e=null,n=null;function s(r,o){n=i.requestAnimationFrame(s),e(r,o)}return{start:function(){t!==!0&&e!==null&&i!==null&&(n=i.requestAnimationFrame(s),t=!0)},stop:function(){i!==null&&i.cancelAnimationFrame(n),t=!1},setAnimationLoop:function(r){e=r},setContext:function(r){i=r}}}function L0(i){let t=new WeakMap;function e(a,l){let c=a.array,h=a.usage,u=c.byteLength,d=i.createBuffer();i.bindBuffer(l,d),i.bufferData(l,c,h),a.onUploadCallback();let f;if(c instanceof Float32Array)f=i.FLOAT;else if(typeof Float16Array<"u"&&c instanceof Float16Array)f=i.HALF_FLOAT;else if(c instanceof Uint16Array)a.isFloat16BufferAttribute?f=i.HALF_FLOAT:f=i.UNSIGNED_SHORT;else if(c instanceof Int16Array)f=i.SHORT;else if(c instanceof Uint32Array)f=i.UNSIGNED_INT;else if(c instanceof Int32Array)f=i.INT;else if(c instanceof Int8Array)f=i.BYTE;else if(c instanceof Uint8Array)f=i.UNSIGNED_BYTE;else if(c instanceof Uint8ClampedArray)f=i.UNSIGNED_BYTE;else throw new Error("THREE.WebGLAttributes: Unsupported buffer data format: "+c);return{buffer:d,type:f,bytesPerElement:c.BYTES_PER_ELEMENT,version:a.version,size:u}}function n(a,l,c){let h=l.array,u=l.updateRanges;if(i.bindBuffer(c,a),u.length===0)i.bufferSubData(c,0,h);else{u.sort((f,g)=>f.start-g.start);let d=0;for(let f=1;f<u.length;f++){let g=u[d],y=u[f];y.start<=g.start+g.count+1?g.count=Math.max(g.count,y.start+y.count-g.start):(++d,u[d]=y)}u.length=d+1;for(let f=0,g=u.length;f<g;f++){let y=u[f];i.bufferSubData(c,y.start*h.BYTES_PER_ELEMENT,h,y.start,y.count)}l.clearUpdateRanges()}l.onUploadCallback()}function s(a){return a.isInterleavedBufferAttribute&&(a=a.data),t.get(a)}function r(a){a.isInterleavedBufferAttribute&&(a=a.data);let l=t.get(a);l&&(i.deleteBuffer(l.buffer),t.delete(a))}function o(a,l){if(a.isInterleavedBufferAttribute&&(a=a.data),a.isGLBufferAttribute){let h=t.get(a);(!h||h.version<a.version)&&t.set(a,{buffer:a.buffer,type:a.type,bytesPerElement:a.elementSize,version:a.version});return}let c=t.get(a);if(c===void 0)t.set(a,e(a,l));else if(c.version<a.version){if(c.size!==a.array.byteLength)throw new Error("THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.");n(c.buffer,a,l),c.version=a.version}}return{get:s,remove:r,update:o}}var N0=`#ifdef USE_ALPHAHASH
	if ( diffuseColor.a < getAlphaHashThreshold( vPosition ) ) discard;
#endif`,D0=`#ifdef USE_ALPHAHASH
	const float ALPHA_HASH_SCALE = 0.05;
	float hash2D( vec2 value ) {
		return fract( 1.0e4 * sin( 17.0 * value.x + 0.1 * value.y ) * ( 0.1 + abs( sin( 13.0 * value.y + value.x ) ) ) );
	}
	float hash3D( vec3 value ) {
		return hash2D( vec2( hash2D( value.xy ), value.z ) );
	}
	float getAlphaHashThreshold( vec3 position ) {
		float maxDeriv = max(
			length( dFdx( position.xyz ) ),
			length( dFdy( position.xyz ) )
		);
		float pixScale = 1.0 / ( ALPHA_HASH_SCALE * maxDeriv );
		vec2 pixScales = vec2(
			exp2( floor( log2( pixScale ) ) ),
			exp2( ceil( log2( pixScale ) ) )
		);
		vec2 alpha = vec2(
			hash3D( floor( pixScales.x * position.xyz ) ),
			hash3D( floor( pixScales.y * position.xyz ) )
		);
		float lerpFactor = fract( log2( pixScale ) );
		float x = ( 1.0 - lerpFactor ) * alpha.x + lerpFactor * alpha.y;
		float a = min( lerpFactor, 1.0 - lerpFactor );
		vec3 cases = vec3(
			x * x / ( 2.0 * a * ( 1.0 - a ) ),
			( x - 0.5 * a ) / ( 1.0 - a ),
			1.0 - ( ( 1.0 - x ) * ( 1.0 - x ) / ( 2.0 * a * ( 1.0 - a ) ) )
		);
		float threshold = ( x < ( 1.0 - a ) )
			? ( ( x < a ) ? cases.x : cases.y )
			: cases.z;
		return clamp( threshold , 1.0e-6, 1.0 );
	}
#endif`,U0=`#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, vAlphaMapUv ).g;
#endif`,O0=`#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,F0=`#ifdef USE_ALPHATEST
	#ifdef ALPHA_TO_COVERAGE
	diffuseColor.a = smoothstep( alphaTest, alphaTest + fwidth( diffuseColor.a ), diffuseColor.a );
	if ( diffuseColor.a == 0.0 ) discard;
	#else
	if ( diffuseColor.a < alphaTest ) discard;
	#endif
#endif`,k0=`#ifdef USE_ALPHATEST
	uniform float alphaTest;
#endif`,B0=`#ifdef USE_AOMAP
	float ambientOcclusion = ( texture2D( aoMap, vAoMapUv ).r - 1.0 ) * aoMapIntensity + 1.0;
	reflectedLight.indirectDiffuse *= ambientOcclusion;
	#if defined( USE_CLEARCOAT ) 
		clearcoatSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_SHEEN ) 
		sheenSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD )
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		reflectedLight.indirectSpecular *= computeSpecularOcclusion( dotNV, ambientOcclusion, material.roughness );
	#endif
#endif`,z0=`#ifdef USE_AOMAP
	uniform sampler2D aoMap;
	uniform float aoMapIntensity;
#endif`,V0=`#ifdef USE_BATCHING
	#if ! defined( GL_ANGLE_multi_draw )
	#define gl_DrawID _gl_DrawID
	uniform int _gl_DrawID;
	#endif
	uniform highp sampler2D batchingTexture;
	uniform highp usampler2D batchingIdTexture;
	mat4 getBatchingMatrix( const in float i ) {
		int size = textureSize( batchingTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( batchingTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( batchingTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( batchingTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( batchingTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
	float getIndirectIndex( const in int i ) {
		int size = textureSize( batchingIdTexture, 0 ).x;
		int x = i % size;
		int y = i / size;
		return float( texelFetch( batchingIdTexture, ivec2( x, y ), 0 ).r );
	}
#endif
#ifdef USE_BATCHING_COLOR
	uniform sampler2D batchingColorTexture;
	vec4 getBatchingColor( const in float i ) {
		int size = textureSize( batchingColorTexture, 0 ).x;
		int j = int( i );
		int x = j % size;
		int y = j / size;
		return texelFetch( batchingColorTexture, ivec2( x, y ), 0 );
	}
#endif`,H0=`#ifdef USE_BATCHING
	mat4 batchingMatrix = getBatchingMatrix( getIndirectIndex( gl_DrawID ) );
#endif`,G0=`vec3 transformed = vec3( position );
#ifdef USE_ALPHAHASH
	vPosition = vec3( position );
#endif`,W0=`vec3 objectNormal = vec3( normal );
#ifdef USE_TANGENT
	vec3 objectTangent = vec3( tangent.xyz );
#endif`,X0=`float G_BlinnPhong_Implicit( ) {
	return 0.25;
}
float D_BlinnPhong( const in float shininess, const in float dotNH ) {
	return RECIPROCAL_PI * ( shininess * 0.5 + 1.0 ) * pow( dotNH, shininess );
}
vec3 BRDF_BlinnPhong( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 specularColor, const in float shininess ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( specularColor, 1.0, dotVH );
	float G = G_BlinnPhong_Implicit( );
	float D = D_BlinnPhong( shininess, dotNH );
	return F * ( G * D );
} // validated`,$0=`#ifdef USE_IRIDESCENCE
	const mat3 XYZ_TO_REC709 = mat3(
		 3.2404542, -0.9692660,  0.0556434,
		-1.5371385,  1.8760108, -0.2040259,
		-0.4985314,  0.0415560,  1.0572252
	);
	vec3 Fresnel0ToIor( vec3 fresnel0 ) {
		vec3 sqrtF0 = sqrt( fresnel0 );
		return ( vec3( 1.0 ) + sqrtF0 ) / ( vec3( 1.0 ) - sqrtF0 );
	}
	vec3 IorToFresnel0( vec3 transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - vec3( incidentIor ) ) / ( transmittedIor + vec3( incidentIor ) ) );
	}
	float IorToFresnel0( float transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - incidentIor ) / ( transmittedIor + incidentIor ));
	}
	vec3 evalSensitivity( float OPD, vec3 shift ) {
		float phase = 2.0 * PI * OPD * 1.0e-9;
		vec3 val = vec3( 5.4856e-13, 4.4201e-13, 5.2481e-13 );
		vec3 pos = vec3( 1.6810e+06, 1.7953e+06, 2.2084e+06 );
		vec3 var = vec3( 4.3278e+09, 9.3046e+09, 6.6121e+09 );
		vec3 xyz = val * sqrt( 2.0 * PI * var ) * cos( pos * phase + shift ) * exp( - pow2( phase ) * var );
		xyz.x += 9.7470e-14 * sqrt( 2.0 * PI * 4.5282e+09 ) * cos( 2.2399e+06 * phase + shift[ 0 ] ) * exp( - 4.5282e+09 * pow2( phase ) );
		xyz /= 1.0685e-7;
		vec3 rgb = XYZ_TO_REC709 * xyz;
		return rgb;
	}
	vec3 evalIridescence( float outsideIOR, float eta2, float cosTheta1, float thinFilmThickness, vec3 baseF0 ) {
		vec3 I;
		float iridescenceIOR = mix( outsideIOR, eta2, smoothstep( 0.0, 0.03, thinFilmThickness ) );
		float sinTheta2Sq = pow2( outsideIOR / iridescenceIOR ) * ( 1.0 - pow2( cosTheta1 ) );
		float cosTheta2Sq = 1.0 - sinTheta2Sq;
		if ( cosTheta2Sq < 0.0 ) {
			return vec3( 1.0 );
		}
		float cosTheta2 = sqrt( cosTheta2Sq );
		float R0 = IorToFresnel0( iridescenceIOR, outsideIOR );
		float R12 = F_Schlick( R0, 1.0, cosTheta1 );
		float T121 = 1.0 - R12;
		float phi12 = 0.0;
		if ( iridescenceIOR < outsideIOR ) phi12 = PI;
		float phi21 = PI - phi12;
		vec3 baseIOR = Fresnel0ToIor( clamp( baseF0, 0.0, 0.9999 ) );		vec3 R1 = IorToFresnel0( baseIOR, iridescenceIOR );
		vec3 R23 = F_Schlick( R1, 1.0, cosTheta2 );
		vec3 phi23 = vec3( 0.0 );
		if ( baseIOR[ 0 ] < iridescenceIOR ) phi23[ 0 ] = PI;
		if ( baseIOR[ 1 ] < iridescenceIOR ) phi23[ 1 ] = PI;
		if ( baseIOR[ 2 ] < iridescenceIOR ) phi23[ 2 ] = PI;
		float OPD = 2.0 * iridescenceIOR * thinFilmThickness * cosTheta2;
		vec3 phi = vec3( phi21 ) + phi23;
		vec3 R123 = clamp( R12 * R23, 1e-5, 0.9999 );
		vec3 r123 = sqrt( R123 );
		vec3 Rs = pow2( T121 ) * R23 / ( vec3( 1.0 ) - R123 );
		vec3 C0 = R12 + Rs;
		I = C0;
		vec3 Cm = Rs - T121;
		for ( int m = 1; m <= 2; ++ m ) {
			Cm *= r123;
			vec3 Sm = 2.0 * evalSensitivity( float( m ) * OPD, float( m ) * phi );
			I += Cm * Sm;
		}
		return max( I, vec3( 0.0 ) );
	}
#endif`,q0=`#ifdef USE_BUMPMAP
	uniform sampler2D bumpMap;
	uniform float bumpScale;
	vec2 dHdxy_fwd() {
		vec2 dSTdx = dFdx( vBumpMapUv );
		vec2 dSTdy = dFdy( vBumpMapUv );
		float Hll = bumpScale * texture2D( bumpMap, vBumpMapUv ).x;
		float dBx = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdx ).x - Hll;
		float dBy = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdy ).x - Hll;
		return vec2( dBx, dBy );
	}
	vec3 perturbNormalArb( vec3 surf_pos, vec3 surf_norm, vec2 dHdxy, float faceDirection ) {
		vec3 vSigmaX = normalize( dFdx( surf_pos.xyz ) );
		vec3 vSigmaY = normalize( dFdy( surf_pos.xyz ) );
		vec3 vN = surf_norm;
		vec3 R1 = cross( vSigmaY, vN );
		vec3 R2 = cross( vN, vSigmaX );
		float fDet = dot( vSigmaX, R1 ) * faceDirection;
		vec3 vGrad = sign( fDet ) * ( dHdxy.x * R1 + dHdxy.y * R2 );
		return normalize( abs( fDet ) * surf_norm - vGrad );
	}
#endif`,Y0=`#if NUM_CLIPPING_PLANES > 0
	vec4 plane;
	#ifdef ALPHA_TO_COVERAGE
		float distanceToPlane, distanceGradient;
		float clipOpacity = 1.0;
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
			distanceGradient = fwidth( distanceToPlane ) / 2.0;
			clipOpacity *= smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			if ( clipOpacity == 0.0 ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			float unionClipOpacity = 1.0;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
				distanceGradient = fwidth( distanceToPlane ) / 2.0;
				unionClipOpacity *= 1.0 - smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			}
			#pragma unroll_loop_end
			clipOpacity *= 1.0 - unionClipOpacity;
		#endif
		diffuseColor.a *= clipOpacity;
		if ( diffuseColor.a == 0.0 ) discard;
	#else
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			if ( dot( vClipPosition, plane.xyz ) > plane.w ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			bool clipped = true;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				clipped = ( dot( vClipPosition, plane.xyz ) > plane.w ) && clipped;
			}
			#pragma unroll_loop_end
			if ( clipped ) discard;
		#endif
	#endif
#endif`,Z0=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
	uniform vec4 clippingPlanes[ NUM_CLIPPING_PLANES ];
#endif`,K0=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
#endif`,J0=`#if NUM_CLIPPING_PLANES > 0
	vClipPosition = - mvPosition.xyz;
#endif`,j0=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	diffuseColor *= vColor;
#endif`,Q0=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#endif`,tx=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	varying vec4 vColor;
#endif`,ex=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	vColor = vec4( 1.0 );
#endif
#ifdef USE_COLOR_ALPHA
	vColor *= color;
#elif defined( USE_COLOR )
	vColor.rgb *= color;
#endif
#ifdef USE_INSTANCING_COLOR
	vColor.rgb *= instanceColor.rgb;
#endif
#ifdef USE_BATCHING_COLOR
	vColor *= getBatchingColor( getIndirectIndex( gl_DrawID ) );
#endif`,nx=`#define PI 3.141592653589793
#define PI2 6.283185307179586
#define PI_HALF 1.5707963267948966
#define RECIPROCAL_PI 0.3183098861837907
#define RECIPROCAL_PI2 0.15915494309189535
#define EPSILON 1e-6
#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
#define whiteComplement( a ) ( 1.0 - saturate( a ) )
float pow2( const in float x ) { return x*x; }
vec3 pow2( const in vec3 x ) { return x*x; }
float pow3( const in float x ) { return x*x*x; }
float pow4( const in float x ) { float x2 = x*x; return x2*x2; }
float max3( const in vec3 v ) { return max( max( v.x, v.y ), v.z ); }
float average( const in vec3 v ) { return dot( v, vec3( 0.3333333 ) ); }
highp float rand( const in vec2 uv ) {
	const highp float a = 12.9898, b = 78.233, c = 43758.5453;
	highp float dt = dot( uv.xy, vec2( a,b ) ), sn = mod( dt, PI );
	return fract( sin( sn ) * c );
}
#ifdef HIGH_PRECISION
	float precisionSafeLength( vec3 v ) { return length( v ); }
#else
	float precisionSafeLength( vec3 v ) {
		float maxComponent = max3( abs( v ) );
		return length( v / maxComponent ) * maxComponent;
	}
#endif
struct IncidentLight {
	vec3 color;
	vec3 direction;
	bool visible;
};
struct ReflectedLight {
	vec3 directDiffuse;
	vec3 directSpecular;
	vec3 indirectDiffuse;
	vec3 indirectSpecular;
};
#ifdef USE_ALPHAHASH
	varying vec3 vPosition;
#endif
vec3 transformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );
}
#define inverseTransformDirection transformDirectionByInverseViewMatrix
vec3 transformNormalByInverseViewMatrix( in vec3 normal, in mat4 viewMatrix ) {
	return normalize( ( vec4( normal, 0.0 ) * viewMatrix ).xyz );
}
vec3 transformDirectionByInverseViewMatrix( in vec3 dir, in mat4 viewMatrix ) {
	return normalize( ( vec4( dir, 0.0 ) * viewMatrix ).xyz );
}
bool isPerspectiveMatrix( mat4 m ) {
	return m[ 2 ][ 3 ] == - 1.0;
}
vec2 equirectUv( in vec3 dir ) {
	float u = atan( dir.z, dir.x ) * RECIPROCAL_PI2 + 0.5;
	float v = asin( clamp( dir.y, - 1.0, 1.0 ) ) * RECIPROCAL_PI + 0.5;
	return vec2( u, v );
}
vec3 BRDF_Lambert( const in vec3 diffuseColor ) {
	return RECIPROCAL_PI * diffuseColor;
}
vec3 F_Schlick( const in vec3 f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
}
float F_Schlick( const in float f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
} // validated`,ix=`vec3 transformedNormal = objectNormal;
#ifdef USE_TANGENT
	vec3 transformedTangent = objectTangent;
#endif
#ifdef USE_BATCHING
	mat3 bm = mat3( batchingMatrix );
	transformedNormal /= vec3( dot( bm[ 0 ], bm[ 0 ] ), dot( bm[ 1 ], bm[ 1 ] ), dot( bm[ 2 ], bm[ 2 ] ) );
	transformedNormal = bm * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = bm * transformedTangent;
	#endif
#endif
#ifdef USE_INSTANCING
	mat3 im = mat3( instanceMatrix );
	transformedNormal /= vec3( dot( im[ 0 ], im[ 0 ] ), dot( im[ 1 ], im[ 1 ] ), dot( im[ 2 ], im[ 2 ] ) );
	transformedNormal = im * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = im * transformedTangent;
	#endif
#endif
transformedNormal = normalMatrix * transformedNormal;
#ifdef FLIP_SIDED
	transformedNormal = - transformedNormal;
#endif
#ifdef USE_TANGENT
	transformedTangent = ( modelViewMatrix * vec4( transformedTangent, 0.0 ) ).xyz;
#endif`,sx=`#ifdef USE_DISPLACEMENTMAP
	uniform sampler2D displacementMap;
	uniform float displacementScale;
	uniform float displacementBias;
#endif`,rx=`#ifdef USE_DISPLACEMENTMAP
	transformed += normalize( objectNormal ) * ( texture2D( displacementMap, vDisplacementMapUv ).x * displacementScale + displacementBias );
#endif`,ox=`#ifdef USE_EMISSIVEMAP
	vec4 emissiveColor = texture2D( emissiveMap, vEmissiveMapUv );
	#ifdef DECODE_VIDEO_TEXTURE_EMISSIVE
		emissiveColor = sRGBTransferEOTF( emissiveColor );
	#endif
	totalEmissiveRadiance *= emissiveColor.rgb;
#endif`,ax=`#ifdef USE_EMISSIVEMAP
	uniform sampler2D emissiveMap;
#endif`,lx="gl_FragColor = linearToOutputTexel( gl_FragColor );",cx=`vec4 LinearTransferOETF( in vec4 value ) {
	return value;
}
vec4 sRGBTransferEOTF( in vec4 value ) {
	return vec4( mix( pow( value.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), value.rgb * 0.0773993808, vec3( lessThanEqual( value.rgb, vec3( 0.04045 ) ) ) ), value.a );
}
vec4 sRGBTransferOETF( in vec4 value ) {
	return vec4( mix( pow( value.rgb, vec3( 0.41666 ) ) * 1.055 - vec3( 0.055 ), value.rgb * 12.92, vec3( lessThanEqual( value.rgb, vec3( 0.0031308 ) ) ) ), value.a );
}`,hx=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vec3 cameraToFrag;
		if ( isOrthographic ) {
			cameraToFrag = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToFrag = normalize( vWorldPosition - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vec3 reflectVec = reflect( cameraToFrag, worldNormal );
		#else
			vec3 reflectVec = refract( cameraToFrag, worldNormal, refractionRatio );
		#endif
	#else
		vec3 reflectVec = vReflect;
	#endif
	#ifdef ENVMAP_TYPE_CUBE
		vec4 envColor = textureCube( envMap, envMapRotation * reflectVec );
		#ifdef ENVMAP_BLENDING_MULTIPLY
			outgoingLight = mix( outgoingLight, outgoingLight * envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_MIX )
			outgoingLight = mix( outgoingLight, envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_ADD )
			outgoingLight += envColor.xyz * specularStrength * reflectivity;
		#endif
	#endif
#endif`,ux=`#ifdef USE_ENVMAP
	uniform float envMapIntensity;
	uniform mat3 envMapRotation;
	uniform samplerCube envMap;
	#ifdef ENVMAP_TYPE_PMREM
		float roughnessToMip( const in float roughness ) {
			float r = clamp( roughness, 0.0, 1.0 );
			return ENVMAP_MAX_LOD * r * ( 2.0 - r );
		}
	#endif
#endif`,dx=`#ifdef USE_ENVMAP
	uniform float reflectivity;
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		varying vec3 vWorldPosition;
		uniform float refractionRatio;
	#else
		varying vec3 vReflect;
	#endif
#endif`,fx=`#ifdef USE_ENVMAP
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		
		varying vec3 vWorldPosition;
	#else
		varying vec3 vReflect;
		uniform float refractionRatio;
	#endif
#endif`,px=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vWorldPosition = worldPosition.xyz;
	#else
		vec3 cameraToVertex;
		if ( isOrthographic ) {
			cameraToVertex = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToVertex = normalize( worldPosition.xyz - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vReflect = reflect( cameraToVertex, worldNormal );
		#else
			vReflect = refract( cameraToVertex, worldNormal, refractionRatio );
		#endif
	#endif
#endif`,mx=`#ifdef USE_FOG
	vFogDepth = - mvPosition.z;
#endif`,gx=`#ifdef USE_FOG
	varying float vFogDepth;
#endif`,xx=`#ifdef USE_FOG
	#ifdef FOG_EXP2
		float fogFactor = 1.0 - exp( - fogDensity * fogDensity * vFogDepth * vFogDepth );
	#else
		float fogFactor = smoothstep( fogNear, fogFar, vFogDepth );
	#endif
	gl_FragColor.rgb = mix( gl_FragColor.rgb, fogColor, fogFactor );
#endif`,vx=`#ifdef USE_FOG
	uniform vec3 fogColor;
	varying float vFogDepth;
	#ifdef FOG_EXP2
		uniform float fogDensity;
	#else
		uniform float fogNear;
		uniform float fogFar;
	#endif
#endif`,yx=`#ifdef USE_GRADIENTMAP
	uniform sampler2D gradientMap;
#endif
vec3 getGradientIrradiance( vec3 normal, vec3 lightDirection ) {
	float dotNL = dot( normal, lightDirection );
	vec2 coord = vec2( dotNL * 0.5 + 0.5, 0.0 );
	#ifdef USE_GRADIENTMAP
		return vec3( texture2D( gradientMap, coord ).r );
	#else
		vec2 fw = fwidth( coord ) * 0.5;
		return mix( vec3( 0.7 ), vec3( 1.0 ), smoothstep( 0.7 - fw.x, 0.7 + fw.x, coord.x ) );
	#endif
}`,_x=`#ifdef USE_LIGHTMAP
	uniform sampler2D lightMap;
	uniform float lightMapIntensity;
#endif`,bx=`LambertMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularStrength = specularStrength;`,Mx=`varying vec3 vViewPosition;
struct LambertMaterial {
	vec3 diffuseColor;
	float specularStrength;
};
void RE_Direct_Lambert( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Lambert( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Lambert
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Lambert`,Sx=`uniform bool receiveShadow;
uniform vec3 ambientLightColor;
#if defined( USE_LIGHT_PROBES )
	uniform vec3 lightProbe[ 9 ];
#endif
vec3 shGetIrradianceAt( in vec3 normal, in vec3 shCoefficients[ 9 ] ) {
	float x = normal.x, y = normal.y, z = normal.z;
	vec3 result = shCoefficients[ 0 ] * 0.886227;
	result += shCoefficients[ 1 ] * 2.0 * 0.511664 * y;
	result += shCoefficients[ 2 ] * 2.0 * 0.511664 * z;
	result += shCoefficients[ 3 ] * 2.0 * 0.511664 * x;
	result += shCoefficients[ 4 ] * 2.0 * 0.429043 * x * y;
	result += shCoefficients[ 5 ] * 2.0 * 0.429043 * y * z;
	result += shCoefficients[ 6 ] * ( 0.743125 * z * z - 0.247708 );
	result += shCoefficients[ 7 ] * 2.0 * 0.429043 * x * z;
	result += shCoefficients[ 8 ] * 0.429043 * ( x * x - y * y );
	return result;
}
vec3 getLightProbeIrradiance( const in vec3 lightProbe[ 9 ], const in vec3 normal ) {
	vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec3 irradiance = shGetIrradianceAt( worldNormal, lightProbe );
	return irradiance;
}
vec3 getAmbientLightIrradiance( const in vec3 ambientLightColor ) {
	vec3 irradiance = ambientLightColor;
	return irradiance;
}
float getDistanceAttenuation( const in float lightDistance, const in float cutoffDistance, const in float decayExponent ) {
	float distanceFalloff = 1.0 / max( pow( lightDistance, decayExponent ), 0.01 );
	if ( cutoffDistance > 0.0 ) {
		distanceFalloff *= pow2( saturate( 1.0 - pow4( lightDistance / cutoffDistance ) ) );
	}
	return distanceFalloff;
}
float getSpotAttenuation( const in float coneCosine, const in float penumbraCosine, const in float angleCosine ) {
	return smoothstep( coneCosine, penumbraCosine, angleCosine );
}
#if NUM_SUN_LIGHTS > 0
	struct SunLight {
		vec3 direction;
		vec3 color;
	};
	uniform SunLight sunLights[ NUM_SUN_LIGHTS ];
	void getSunLightInfo( const in SunLight sunLight, out IncidentLight light ) {
		light.color = sunLight.color;
		light.direction = sunLight.direction;
		light.visible = true;
	}
#endif
#if NUM_DIR_LIGHTS > 0
	struct DirectionalLight {
		vec3 direction;
		vec3 color;
	};
	uniform DirectionalLight directionalLights[ NUM_DIR_LIGHTS ];
	void getDirectionalLightInfo( const in DirectionalLight directionalLight, out IncidentLight light ) {
		light.color = directionalLight.color;
		light.direction = directionalLight.direction;
		light.visible = true;
	}
#endif
#if NUM_POINT_LIGHTS > 0
	struct PointLight {
		vec3 position;
		vec3 color;
		float distance;
		float decay;
	};
	uniform PointLight pointLights[ NUM_POINT_LIGHTS ];
	void getPointLightInfo( const in PointLight pointLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = pointLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float lightDistance = length( lVector );
		light.color = pointLight.color;
		light.color *= getDistanceAttenuation( lightDistance, pointLight.distance, pointLight.decay );
		light.visible = ( light.color != vec3( 0.0 ) );
	}
#endif
#if NUM_SPOT_LIGHTS > 0
	struct SpotLight {
		vec3 position;
		vec3 direction;
		vec3 color;
		float distance;
		float decay;
		float coneCos;
		float penumbraCos;
	};
	uniform SpotLight spotLights[ NUM_SPOT_LIGHTS ];
	void getSpotLightInfo( const in SpotLight spotLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = spotLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float angleCos = dot( light.direction, spotLight.direction );
		float spotAttenuation = getSpotAttenuation( spotLight.coneCos, spotLight.penumbraCos, angleCos );
		if ( spotAttenuation > 0.0 ) {
			float lightDistance = length( lVector );
			light.color = spotLight.color * spotAttenuation;
			light.color *= getDistanceAttenuation( lightDistance, spotLight.distance, spotLight.decay );
			light.visible = ( light.color != vec3( 0.0 ) );
		} else {
			light.color = vec3( 0.0 );
			light.visible = false;
		}
	}
#endif
#if NUM_RECT_AREA_LIGHTS > 0
	struct RectAreaLight {
		vec3 color;
		vec3 position;
		vec3 halfWidth;
		vec3 halfHeight;
	};
	uniform sampler2D ltc_1;	uniform sampler2D ltc_2;
	uniform RectAreaLight rectAreaLights[ NUM_RECT_AREA_LIGHTS ];
#endif
#if NUM_HEMI_LIGHTS > 0
	struct HemisphereLight {
		vec3 direction;
		vec3 skyColor;
		vec3 groundColor;
	};
	uniform HemisphereLight hemisphereLights[ NUM_HEMI_LIGHTS ];
	vec3 getHemisphereLightIrradiance( const in HemisphereLight hemiLight, const in vec3 normal ) {
		float dotNL = dot( normal, hemiLight.direction );
		float hemiDiffuseWeight = 0.5 * dotNL + 0.5;
		vec3 irradiance = mix( hemiLight.groundColor, hemiLight.skyColor, hemiDiffuseWeight );
		return irradiance;
	}
#endif
#include <lightprobes_pars_fragment>`,wx=`#ifdef USE_ENVMAP
	vec3 getIBLIrradiance( const in vec3 normal ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * worldNormal, ENVMAP_MAX_LOD );
			return PI * envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	vec3 getIBLRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 reflectVec = reflect( - viewDir, normal );
			reflectVec = normalize( mix( reflectVec, normal, pow4( roughness ) ) );
			reflectVec = transformDirectionByInverseViewMatrix( reflectVec, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * reflectVec, roughnessToMip( roughness ) );
			return envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	#ifdef USE_RETROREFLECTION
		vec3 getIBLRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 retroVec = normalize( mix( viewDir, normal, pow4( roughness ) ) );
				retroVec = transformDirectionByInverseViewMatrix( retroVec, viewMatrix );
				vec4 envMapColor = textureLod( envMap, envMapRotation * retroVec, roughnessToMip( roughness ) );
				return envMapColor.rgb * envMapIntensity;
			#else
				return vec3( 0.0 );
			#endif
		}
	#endif
	#ifdef USE_ANISOTROPY
		vec3 getIBLAnisotropyRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 bentNormal = cross( bitangent, viewDir );
				bentNormal = normalize( cross( bentNormal, bitangent ) );
				bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
				return getIBLRadiance( viewDir, bentNormal, roughness );
			#else
				return vec3( 0.0 );
			#endif
		}
		#ifdef USE_RETROREFLECTION
			vec3 getIBLAnisotropyRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
				#ifdef ENVMAP_TYPE_PMREM
					vec3 bentNormal = cross( bitangent, viewDir );
					bentNormal = normalize( cross( bentNormal, bitangent ) );
					bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
					return getIBLRetroRadiance( viewDir, bentNormal, roughness );
				#else
					return vec3( 0.0 );
				#endif
			}
		#endif
	#endif
#endif`,Tx=`ToonMaterial material;
material.diffuseColor = diffuseColor.rgb;`,Ex=`varying vec3 vViewPosition;
struct ToonMaterial {
	vec3 diffuseColor;
};
void RE_Direct_Toon( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 irradiance = getGradientIrradiance( geometryNormal, directLight.direction ) * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Toon( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Toon
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Toon`,Ax=`BlinnPhongMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularColor = specular;
material.specularShininess = shininess;
material.specularStrength = specularStrength;`,Cx=`varying vec3 vViewPosition;
struct BlinnPhongMaterial {
	vec3 diffuseColor;
	vec3 specularColor;
	float specularShininess;
	float specularStrength;
};
void RE_Direct_BlinnPhong( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
	reflectedLight.directSpecular += irradiance * BRDF_BlinnPhong( directLight.direction, geometryViewDir, geometryNormal, material.specularColor, material.specularShininess ) * material.specularStrength;
}
void RE_IndirectDiffuse_BlinnPhong( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_BlinnPhong
#define RE_IndirectDiffuse		RE_IndirectDiffuse_BlinnPhong`,Rx=`PhysicalMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.diffuseContribution = diffuseColor.rgb * ( 1.0 - metalnessFactor );
material.metalness = metalnessFactor;
vec3 dxy = max( abs( dFdx( nonPerturbedNormal ) ), abs( dFdy( nonPerturbedNormal ) ) );
float geometryRoughness = max( max( dxy.x, dxy.y ), dxy.z );
material.roughness = max( roughnessFactor, 0.045 );
material.roughness += geometryRoughness;
material.roughness = min( material.roughness, 1.0 );
#ifdef USE_DIFFUSE_ROUGHNESS
	float diffuseRoughnessFactor = diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		diffuseRoughnessFactor *= texture2D( diffuseRoughnessMap, vDiffuseRoughnessMapUv ).r;
	#endif
	material.diffuseRoughness = saturate( diffuseRoughnessFactor );
#endif
#ifdef IOR
	material.ior = ior;
	#ifdef USE_SPECULAR
		float specularIntensityFactor = specularIntensity;
		vec3 specularColorFactor = specularColor;
		#ifdef USE_SPECULAR_COLORMAP
			specularColorFactor *= texture2D( specularColorMap, vSpecularColorMapUv ).rgb;
		#endif
		#ifdef USE_SPECULAR_INTENSITYMAP
			specularIntensityFactor *= texture2D( specularIntensityMap, vSpecularIntensityMapUv ).a;
		#endif
		material.specularF90 = mix( specularIntensityFactor, 1.0, metalnessFactor );
	#else
		float specularIntensityFactor = 1.0;
		vec3 specularColorFactor = vec3( 1.0 );
		material.specularF90 = 1.0;
	#endif
	material.specularColor = min( pow2( ( material.ior - 1.0 ) / ( material.ior + 1.0 ) ) * specularColorFactor, vec3( 1.0 ) ) * specularIntensityFactor;
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
#else
	material.specularColor = vec3( 0.04 );
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
	material.specularF90 = 1.0;
#endif
#ifdef USE_CLEARCOAT
	material.clearcoat = clearcoat;
	material.clearcoatRoughness = clearcoatRoughness;
	material.clearcoatF0 = vec3( 0.04 );
	material.clearcoatF90 = 1.0;
	#ifdef USE_CLEARCOATMAP
		material.clearcoat *= texture2D( clearcoatMap, vClearcoatMapUv ).x;
	#endif
	#ifdef USE_CLEARCOAT_ROUGHNESSMAP
		material.clearcoatRoughness *= texture2D( clearcoatRoughnessMap, vClearcoatRoughnessMapUv ).y;
	#endif
	material.clearcoat = saturate( material.clearcoat );	material.clearcoatRoughness = max( material.clearcoatRoughness, 0.045 );
	material.clearcoatRoughness += geometryRoughness;
	material.clearcoatRoughness = min( material.clearcoatRoughness, 1.0 );
#endif
#ifdef USE_DISPERSION
	material.dispersion = dispersion;
#endif
#ifdef USE_RETROREFLECTION
	material.retroreflectivity = retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	material.iridescence = iridescence;
	material.iridescenceIOR = iridescenceIOR;
	#ifdef USE_IRIDESCENCEMAP
		material.iridescence *= texture2D( iridescenceMap, vIridescenceMapUv ).r;
	#endif
	#ifdef USE_IRIDESCENCE_THICKNESSMAP
		material.iridescenceThickness = (iridescenceThicknessMaximum - iridescenceThicknessMinimum) * texture2D( iridescenceThicknessMap, vIridescenceThicknessMapUv ).g + iridescenceThicknessMinimum;
	#else
		material.iridescenceThickness = iridescenceThicknessMaximum;
	#endif
#endif
#ifdef USE_SHEEN
	material.sheenColor = sheenColor;
	#ifdef USE_SHEEN_COLORMAP
		material.sheenColor *= texture2D( sheenColorMap, vSheenColorMapUv ).rgb;
	#endif
	material.sheenRoughness = clamp( sheenRoughness, 0.0001, 1.0 );
	#ifdef USE_SHEEN_ROUGHNESSMAP
		material.sheenRoughness *= texture2D( sheenRoughnessMap, vSheenRoughnessMapUv ).a;
	#endif
#endif
#ifdef USE_ANISOTROPY
	#ifdef USE_ANISOTROPYMAP
		mat2 anisotropyMat = mat2( anisotropyVector.x, anisotropyVector.y, - anisotropyVector.y, anisotropyVector.x );
		vec3 anisotropyPolar = texture2D( anisotropyMap, vAnisotropyMapUv ).rgb;
		vec2 anisotropyV = anisotropyMat * normalize( 2.0 * anisotropyPolar.rg - vec2( 1.0 ) ) * anisotropyPolar.b;
	#else
		vec2 anisotropyV = anisotropyVector;
	#endif
	material.anisotropy = length( anisotropyV );
	if( material.anisotropy == 0.0 ) {
		anisotropyV = vec2( 1.0, 0.0 );
	} else {
		anisotropyV /= material.anisotropy;
		material.anisotropy = saturate( material.anisotropy );
	}
	material.alphaT = mix( pow2( material.roughness ), 1.0, pow2( material.anisotropy ) );
	material.anisotropyT = tbn[ 0 ] * anisotropyV.x + tbn[ 1 ] * anisotropyV.y;
	material.anisotropyB = tbn[ 1 ] * anisotropyV.x - tbn[ 0 ] * anisotropyV.y;
#endif`,Px=`uniform sampler2D dfgLUT;
struct PhysicalMaterial {
	vec3 diffuseColor;
	vec3 diffuseContribution;
	vec3 specularColor;
	vec3 specularColorBlended;
	float roughness;
	float metalness;
	float specularF90;
	float dispersion;
	vec2 dfg;
	vec3 multiScatteringCompensation;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float diffuseRoughness;
	#endif
	#ifdef USE_RETROREFLECTION
		float retroreflectivity;
	#endif
	#ifdef USE_CLEARCOAT
		float clearcoat;
		float clearcoatRoughness;
		vec3 clearcoatF0;
		float clearcoatF90;
	#endif
	#ifdef USE_IRIDESCENCE
		float iridescence;
		float iridescenceIOR;
		float iridescenceThickness;
		vec3 iridescenceFresnel;
		vec3 iridescenceF0Dielectric;
		vec3 iridescenceF0Metallic;
	#endif
	#ifdef USE_SHEEN
		vec3 sheenColor;
		float sheenRoughness;
	#endif
	#ifdef IOR
		float ior;
	#endif
	#ifdef USE_TRANSMISSION
		float transmission;
		float transmissionAlpha;
		float thickness;
		float attenuationDistance;
		vec3 attenuationColor;
	#endif
	#ifdef USE_ANISOTROPY
		float anisotropy;
		float alphaT;
		vec3 anisotropyT;
		vec3 anisotropyB;
	#endif
};
vec3 clearcoatSpecularDirect = vec3( 0.0 );
vec3 clearcoatSpecularIndirect = vec3( 0.0 );
vec3 sheenSpecularDirect = vec3( 0.0 );
vec3 sheenSpecularIndirect = vec3(0.0 );
vec3 Schlick_to_F0( const in vec3 f, const in float f90, const in float dotVH ) {
    float x = clamp( 1.0 - dotVH, 0.0, 1.0 );
    float x2 = x * x;
    float x5 = clamp( x * x2 * x2, 0.0, 0.9999 );
    return ( f - vec3( f90 ) * x5 ) / ( 1.0 - x5 );
}
#ifdef USE_DIFFUSE_ROUGHNESS
	const float EON_EPSILON = 1e-7;
	float FON_DirectionalAlbedo( const in float mu, const in float roughness, const in float A ) {
		float muComp = 1.0 - mu;
		float gOverPi = muComp * ( 0.0571085289 + muComp * ( 0.491881867 + muComp * ( - 0.332181442 + muComp * 0.0714429953 ) ) );
		return A * ( 1.0 + roughness * gOverPi );
	}
	vec3 BRDF_EON( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 diffuseColor, const in float roughness ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return BRDF_Lambert( rho );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float s = dot( lightDir, viewDir ) - dotNL * dotNV;
		float sOverT = ( s > 0.0 ) ? s / max( max( dotNL, dotNV ), EON_EPSILON ) : s;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		vec3 singleScatter = rho * RECIPROCAL_PI * A * ( 1.0 + roughness * sOverT );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		float albedoV = FON_DirectionalAlbedo( dotNV, roughness, A );
		float albedoL = FON_DirectionalAlbedo( dotNL, roughness, A );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		vec3 multiScatter = rhoMultiScatter * RECIPROCAL_PI
			* max( EON_EPSILON, 1.0 - albedoV )
			* max( EON_EPSILON, 1.0 - albedoL )
			/ max( EON_EPSILON, 1.0 - averageAlbedo );
		return singleScatter + multiScatter;
	}
	vec3 EON_DirectionalAlbedo( const in vec3 diffuseColor, const in float roughness, const in float dotNV ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return rho;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		float directionalAlbedo = FON_DirectionalAlbedo( dotNV, roughness, A );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		return rho * directionalAlbedo + rhoMultiScatter * ( 1.0 - directionalAlbedo );
	}
#endif
float V_GGX_SmithCorrelated( const in float alpha, const in float dotNL, const in float dotNV ) {
	float a2 = pow2( alpha );
	float gv = dotNL * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNV ) );
	float gl = dotNV * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNL ) );
	return 0.5 / max( gv + gl, EPSILON );
}
float D_GGX( const in float alpha, const in float dotNH ) {
	float a2 = pow2( alpha );
	float denom = pow2( dotNH ) * ( a2 - 1.0 ) + 1.0;
	return RECIPROCAL_PI * a2 / pow2( denom );
}
#ifdef USE_ANISOTROPY
	float V_GGX_SmithCorrelated_Anisotropic( const in float alphaT, const in float alphaB, const in float dotTV, const in float dotBV, const in float dotTL, const in float dotBL, const in float dotNV, const in float dotNL ) {
		float gv = dotNL * length( vec3( alphaT * dotTV, alphaB * dotBV, dotNV ) );
		float gl = dotNV * length( vec3( alphaT * dotTL, alphaB * dotBL, dotNL ) );
		return 0.5 / max( gv + gl, EPSILON );
	}
	float D_GGX_Anisotropic( const in float alphaT, const in float alphaB, const in float dotNH, const in float dotTH, const in float dotBH ) {
		float a2 = alphaT * alphaB;
		highp vec3 v = vec3( alphaB * dotTH, alphaT * dotBH, a2 * dotNH );
		highp float v2 = dot( v, v );
		float w2 = a2 / v2;
		return RECIPROCAL_PI * a2 * pow2 ( w2 );
	}
#endif
#ifdef USE_CLEARCOAT
	vec3 BRDF_GGX_Clearcoat( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material) {
		vec3 f0 = material.clearcoatF0;
		float f90 = material.clearcoatF90;
		float roughness = max( material.clearcoatRoughness, 0.045 );
		float alpha = pow2( roughness );
		vec3 halfDir = normalize( lightDir + viewDir );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float dotNH = saturate( dot( normal, halfDir ) );
		float dotVH = saturate( dot( viewDir, halfDir ) );
		vec3 F = F_Schlick( f0, f90, dotVH );
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
		return F * ( V * D );
	}
#endif
vec3 BRDF_GGX( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material ) {
	vec3 f0 = material.specularColorBlended;
	float f90 = material.specularF90;
	float roughness = max( material.roughness, 0.045 );
	float alpha = pow2( roughness );
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( f0, f90, dotVH );
	#ifdef USE_IRIDESCENCE
		F = mix( F, material.iridescenceFresnel, material.iridescence );
	#endif
	#ifdef USE_ANISOTROPY
		float dotTL = dot( material.anisotropyT, lightDir );
		float dotTV = dot( material.anisotropyT, viewDir );
		float dotTH = dot( material.anisotropyT, halfDir );
		float dotBL = dot( material.anisotropyB, lightDir );
		float dotBV = dot( material.anisotropyB, viewDir );
		float dotBH = dot( material.anisotropyB, halfDir );
		float alphaT = max( material.alphaT, alpha );
		float V = V_GGX_SmithCorrelated_Anisotropic( alphaT, alpha, dotTV, dotBV, dotTL, dotBL, dotNV, dotNL );
		float D = D_GGX_Anisotropic( alphaT, alpha, dotNH, dotTH, dotBH );
	#else
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
	#endif
	return F * ( V * D );
}
vec2 LTC_Uv( const in vec3 N, const in vec3 V, const in float roughness ) {
	const float LUT_SIZE = 64.0;
	const float LUT_SCALE = ( LUT_SIZE - 1.0 ) / LUT_SIZE;
	const float LUT_BIAS = 0.5 / LUT_SIZE;
	float dotNV = saturate( dot( N, V ) );
	vec2 uv = vec2( roughness, sqrt( 1.0 - dotNV ) );
	uv = uv * LUT_SCALE + LUT_BIAS;
	return uv;
}
float LTC_ClippedSphereFormFactor( const in vec3 f ) {
	float l = length( f );
	return max( ( l * l + f.z ) / ( l + 1.0 ), 0.0 );
}
vec3 LTC_EdgeVectorFormFactor( const in vec3 v1, const in vec3 v2 ) {
	float x = dot( v1, v2 );
	float y = abs( x );
	float a = 0.8543985 + ( 0.4965155 + 0.0145206 * y ) * y;
	float b = 3.4175940 + ( 4.1616724 + y ) * y;
	float v = a / b;
	float theta_sintheta = ( x > 0.0 ) ? v : 0.5 * inversesqrt( max( 1.0 - x * x, 1e-7 ) ) - v;
	return cross( v1, v2 ) * theta_sintheta;
}
vec3 LTC_Evaluate( const in vec3 N, const in vec3 V, const in vec3 P, const in mat3 mInv, const in vec3 rectCoords[ 4 ] ) {
	vec3 v1 = rectCoords[ 1 ] - rectCoords[ 0 ];
	vec3 v2 = rectCoords[ 3 ] - rectCoords[ 0 ];
	vec3 lightNormal = cross( v1, v2 );
	if( dot( lightNormal, P - rectCoords[ 0 ] ) < 0.0 ) return vec3( 0.0 );
	vec3 T1, T2;
	T1 = normalize( V - N * dot( V, N ) );
	T2 = - cross( N, T1 );
	mat3 mat = mInv * transpose( mat3( T1, T2, N ) );
	vec3 coords[ 4 ];
	coords[ 0 ] = mat * ( rectCoords[ 0 ] - P );
	coords[ 1 ] = mat * ( rectCoords[ 1 ] - P );
	coords[ 2 ] = mat * ( rectCoords[ 2 ] - P );
	coords[ 3 ] = mat * ( rectCoords[ 3 ] - P );
	coords[ 0 ] = normalize( coords[ 0 ] );
	coords[ 1 ] = normalize( coords[ 1 ] );
	coords[ 2 ] = normalize( coords[ 2 ] );
	coords[ 3 ] = normalize( coords[ 3 ] );
	vec3 vectorFormFactor = vec3( 0.0 );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 0 ], coords[ 1 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 1 ], coords[ 2 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 2 ], coords[ 3 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 3 ], coords[ 0 ] );
	float result = LTC_ClippedSphereFormFactor( vectorFormFactor );
	return vec3( result );
}
#if defined( USE_SHEEN )
float D_Charlie( float roughness, float dotNH ) {
	float alpha = pow2( roughness );
	float invAlpha = 1.0 / alpha;
	float cos2h = dotNH * dotNH;
	float sin2h = max( 1.0 - cos2h, 0.0078125 );
	return ( 2.0 + invAlpha ) * pow( sin2h, invAlpha * 0.5 ) / ( 2.0 * PI );
}
float V_Neubelt( float dotNV, float dotNL ) {
	return saturate( 1.0 / ( 4.0 * ( dotNL + dotNV - dotNL * dotNV ) ) );
}
vec3 BRDF_Sheen( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, vec3 sheenColor, const in float sheenRoughness ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float D = D_Charlie( sheenRoughness, dotNH );
	float V = V_Neubelt( dotNV, dotNL );
	return sheenColor * ( D * V );
}
#endif
float IBLSheenBRDF( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	float r2 = roughness * roughness;
	float rInv = 1.0 / ( roughness + 0.1 );
	float a = -1.9362 + 1.0678 * roughness + 0.4573 * r2 - 0.8469 * rInv;
	float b = -0.6014 + 0.5538 * roughness - 0.4670 * r2 - 0.1255 * rInv;
	float DG = exp( a * dotNV + b );
	return saturate( DG );
}
vec3 EnvironmentBRDF( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	vec2 fab = texture2D( dfgLUT, vec2( roughness, dotNV ) ).rg;
	return specularColor * fab.x + specularF90 * fab.y;
}
#ifdef USE_IRIDESCENCE
void computeMultiscatteringIridescence( const in vec2 fab, const in vec3 specularColor, const in float specularF90, const in float iridescence, const in vec3 iridescenceF0, inout vec3 singleScatter, inout vec3 multiScatter ) {
#else
void computeMultiscattering( const in vec2 fab, const in vec3 specularColor, const in float specularF90, inout vec3 singleScatter, inout vec3 multiScatter ) {
#endif
	#ifdef USE_IRIDESCENCE
		vec3 Fr = mix( specularColor, iridescenceF0, iridescence );
	#else
		vec3 Fr = specularColor;
	#endif
	vec3 FssEss = Fr * fab.x + specularF90 * fab.y;
	float Ess = fab.x + fab.y;
	float Ems = 1.0 - Ess;
	vec3 Favg = Fr + ( 1.0 - Fr ) * 0.047619;	vec3 Fms = FssEss * Favg / ( 1.0 - Ems * Favg );
	singleScatter += FssEss;
	multiScatter += Fms * Ems;
}
#if NUM_RECT_AREA_LIGHTS > 0
	void RE_Direct_RectArea_Physical( const in RectAreaLight rectAreaLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
		vec3 normal = geometryNormal;
		vec3 viewDir = geometryViewDir;
		vec3 position = geometryPosition;
		vec3 lightPos = rectAreaLight.position;
		vec3 halfWidth = rectAreaLight.halfWidth;
		vec3 halfHeight = rectAreaLight.halfHeight;
		vec3 lightColor = rectAreaLight.color;
		float roughness = material.roughness;
		vec3 rectCoords[ 4 ];
		rectCoords[ 0 ] = lightPos + halfWidth - halfHeight;		rectCoords[ 1 ] = lightPos - halfWidth - halfHeight;
		rectCoords[ 2 ] = lightPos - halfWidth + halfHeight;
		rectCoords[ 3 ] = lightPos + halfWidth + halfHeight;
		vec2 uv = LTC_Uv( normal, viewDir, roughness );
		vec4 t1 = texture2D( ltc_1, uv );
		vec4 t2 = texture2D( ltc_2, uv );
		mat3 mInv = mat3(
			vec3( t1.x, 0, t1.y ),
			vec3(    0, 1,    0 ),
			vec3( t1.z, 0, t1.w )
		);
		vec3 fresnel = ( material.specularColorBlended * t2.x + ( material.specularF90 - material.specularColorBlended ) * t2.y );
		reflectedLight.directSpecular += lightColor * fresnel * LTC_Evaluate( normal, viewDir, position, mInv, rectCoords );
		reflectedLight.directDiffuse += lightColor * material.diffuseContribution * LTC_Evaluate( normal, viewDir, position, mat3( 1.0 ), rectCoords );
		#ifdef USE_CLEARCOAT
			vec3 Ncc = geometryClearcoatNormal;
			vec2 uvClearcoat = LTC_Uv( Ncc, viewDir, material.clearcoatRoughness );
			vec4 t1Clearcoat = texture2D( ltc_1, uvClearcoat );
			vec4 t2Clearcoat = texture2D( ltc_2, uvClearcoat );
			mat3 mInvClearcoat = mat3(
				vec3( t1Clearcoat.x, 0, t1Clearcoat.y ),
				vec3(             0, 1,             0 ),
				vec3( t1Clearcoat.z, 0, t1Clearcoat.w )
			);
			vec3 fresnelClearcoat = material.clearcoatF0 * t2Clearcoat.x + ( material.clearcoatF90 - material.clearcoatF0 ) * t2Clearcoat.y;
			clearcoatSpecularDirect += lightColor * fresnelClearcoat * LTC_Evaluate( Ncc, viewDir, position, mInvClearcoat, rectCoords );
		#endif
	}
#endif
void RE_Direct_Physical( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	#ifdef USE_CLEARCOAT
		float dotNLcc = saturate( dot( geometryClearcoatNormal, directLight.direction ) );
		vec3 ccIrradiance = dotNLcc * directLight.color;
		clearcoatSpecularDirect += ccIrradiance * BRDF_GGX_Clearcoat( directLight.direction, geometryViewDir, geometryClearcoatNormal, material );
	#endif
	#ifdef USE_SHEEN
 
 		sheenSpecularDirect += irradiance * BRDF_Sheen( directLight.direction, geometryViewDir, geometryNormal, material.sheenColor, material.sheenRoughness );
 
 		float sheenAlbedoV = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
 		float sheenAlbedoL = IBLSheenBRDF( geometryNormal, directLight.direction, material.sheenRoughness );
 
 		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * max( sheenAlbedoV, sheenAlbedoL );
 
 		irradiance *= sheenEnergyComp;
 
 	#endif
	vec3 specularBRDF = BRDF_GGX( directLight.direction, geometryViewDir, geometryNormal, material );
	#ifdef USE_RETROREFLECTION
		vec3 retroViewDir = reflect( - geometryViewDir, geometryNormal );
		vec3 retroSpecularBRDF = BRDF_GGX( directLight.direction, retroViewDir, geometryNormal, material );
		specularBRDF = mix( specularBRDF, retroSpecularBRDF, saturate( material.retroreflectivity ) );
	#endif
	reflectedLight.directSpecular += irradiance * specularBRDF * material.multiScatteringCompensation;
	vec3 halfDir = normalize( directLight.direction + geometryViewDir );
	float dotVH = saturate( dot( geometryViewDir, halfDir ) );
	vec3 F = F_Schlick( material.specularColor, material.specularF90, dotVH );
	#ifdef USE_RETROREFLECTION
		vec3 retroHalfDir = normalize( directLight.direction + retroViewDir );
		float dotRetroVH = saturate( dot( retroViewDir, retroHalfDir ) );
		vec3 retroF = F_Schlick( material.specularColor, material.specularF90, dotRetroVH );
		F = mix( F, retroF, saturate( material.retroreflectivity ) );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		vec3 diffuseBRDF = BRDF_EON( directLight.direction, geometryViewDir, geometryNormal, material.diffuseColor, material.diffuseRoughness ) * ( 1.0 - material.metalness );
	#else
		vec3 diffuseBRDF = BRDF_Lambert( material.diffuseContribution );
	#endif
	reflectedLight.directDiffuse += irradiance * diffuseBRDF * ( 1.0 - F );
}
void RE_IndirectDiffuse_Physical( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 singleScattering = vec3( 0.0 );
	vec3 multiScattering = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScattering, multiScattering );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScattering, multiScattering );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuseAlbedo = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness );
		vec3 diffuse = irradiance * RECIPROCAL_PI * diffuseAlbedo * ( 1.0 - singleScattering - multiScattering );
	#else
		vec3 diffuse = irradiance * BRDF_Lambert( material.diffuseContribution ) * ( 1.0 - singleScattering - multiScattering );
	#endif
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		sheenSpecularIndirect += irradiance * material.sheenColor * sheenAlbedo * RECIPROCAL_PI;
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		diffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectDiffuse += diffuse;
}
void RE_IndirectSpecular_Physical( const in vec3 radiance, const in vec3 irradiance, const in vec3 clearcoatRadiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight) {
	#ifdef USE_CLEARCOAT
		clearcoatSpecularIndirect += clearcoatRadiance * EnvironmentBRDF( geometryClearcoatNormal, geometryViewDir, material.clearcoatF0, material.clearcoatF90, material.clearcoatRoughness );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularIndirect += irradiance * material.sheenColor * IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness ) * RECIPROCAL_PI;
 	#endif
	vec3 singleScatteringDielectric = vec3( 0.0 );
	vec3 multiScatteringDielectric = vec3( 0.0 );
	vec3 singleScatteringMetallic = vec3( 0.0 );
	vec3 multiScatteringMetallic = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscatteringIridescence( material.dfg, material.diffuseColor, material.specularF90, material.iridescence, material.iridescenceF0Metallic, singleScatteringMetallic, multiScatteringMetallic );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscattering( material.dfg, material.diffuseColor, material.specularF90, singleScatteringMetallic, multiScatteringMetallic );
	#endif
	vec3 singleScattering = mix( singleScatteringDielectric, singleScatteringMetallic, material.metalness );
	vec3 multiScattering = mix( multiScatteringDielectric, multiScatteringMetallic, material.metalness );
	vec3 totalScatteringDielectric = singleScatteringDielectric + multiScatteringDielectric;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuse = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness ) * ( 1.0 - totalScatteringDielectric );
	#else
		vec3 diffuse = material.diffuseContribution * ( 1.0 - totalScatteringDielectric );
	#endif
	vec3 cosineWeightedIrradiance = irradiance * RECIPROCAL_PI;
	vec3 indirectSpecular = radiance * singleScattering;
	indirectSpecular += multiScattering * cosineWeightedIrradiance;
	vec3 indirectDiffuse = diffuse * cosineWeightedIrradiance;
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		indirectSpecular *= sheenEnergyComp;
		indirectDiffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectSpecular += indirectSpecular;
	reflectedLight.indirectDiffuse += indirectDiffuse;
}
#define RE_Direct				RE_Direct_Physical
#define RE_Direct_RectArea		RE_Direct_RectArea_Physical
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Physical
#define RE_IndirectSpecular		RE_IndirectSpecular_Physical
float computeSpecularOcclusion( const in float dotNV, const in float ambientOcclusion, const in float roughness ) {
	return saturate( pow( dotNV + ambientOcclusion, exp2( - 16.0 * roughness - 1.0 ) ) - 1.0 + ambientOcclusion );
}`,Ix=`
vec3 geometryPosition = - vViewPosition;
vec3 geometryNormal = normal;
vec3 geometryViewDir = ( isOrthographic ) ? vec3( 0, 0, 1 ) : normalize( vViewPosition );
vec3 geometryClearcoatNormal = vec3( 0.0 );
#ifdef USE_CLEARCOAT
	geometryClearcoatNormal = clearcoatNormal;
#endif
#ifdef USE_IRIDESCENCE
	float dotNVi = saturate( dot( normal, geometryViewDir ) );
	if ( material.iridescenceThickness == 0.0 ) {
		material.iridescence = 0.0;
	} else {
		material.iridescence = saturate( material.iridescence );
	}
	if ( material.iridescence > 0.0 ) {
		vec3 iridescenceFresnelDielectric = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.specularColor );
		vec3 iridescenceFresnelMetallic = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.diffuseColor );
		material.iridescenceFresnel = mix( iridescenceFresnelDielectric, iridescenceFresnelMetallic, material.metalness );
		material.iridescenceF0Dielectric = Schlick_to_F0( iridescenceFresnelDielectric, 1.0, dotNVi );
		material.iridescenceF0Metallic = Schlick_to_F0( iridescenceFresnelMetallic, 1.0, dotNVi );
	}
#endif
#ifdef STANDARD
	float dotNVms = saturate( dot( geometryNormal, geometryViewDir ) );
	material.dfg = texture2D( dfgLUT, vec2( material.roughness, dotNVms ) ).rg;
	#if ( NUM_SUN_LIGHTS > 0 || NUM_DIR_LIGHTS > 0 || NUM_POINT_LIGHTS > 0 || NUM_SPOT_LIGHTS > 0 )
		float EssMs = material.dfg.x + material.dfg.y;
		material.multiScatteringCompensation = 1.0 + material.specularColorBlended * ( 1.0 / EssMs - 1.0 );
	#endif
#endif
IncidentLight directLight;
#if ( NUM_POINT_LIGHTS > 0 ) && defined( RE_Direct )
	PointLight pointLight;
	#if defined( USE_SHADOWMAP ) && NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHTS; i ++ ) {
		pointLight = pointLights[ i ];
		getPointLightInfo( pointLight, geometryPosition, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_POINT_LIGHT_SHADOWS ) && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
		pointLightShadow = pointLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getPointShadow( pointShadowMap[ i ], pointLightShadow.shadowMapSize, pointLightShadow.shadowIntensity, pointLightShadow.shadowBias, pointLightShadow.shadowRadius, vPointShadowCoord[ i ], pointLightShadow.shadowCameraNear, pointLightShadow.shadowCameraFar ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SPOT_LIGHTS > 0 ) && defined( RE_Direct )
	SpotLight spotLight;
	vec4 spotColor;
	vec3 spotLightCoord;
	bool inSpotLightMap;
	#if defined( USE_SHADOWMAP ) && NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHTS; i ++ ) {
		spotLight = spotLights[ i ];
		getSpotLightInfo( spotLight, geometryPosition, directLight );
		#if ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#define SPOT_LIGHT_MAP_INDEX UNROLLED_LOOP_INDEX
		#elif ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		#define SPOT_LIGHT_MAP_INDEX NUM_SPOT_LIGHT_MAPS
		#else
		#define SPOT_LIGHT_MAP_INDEX ( UNROLLED_LOOP_INDEX - NUM_SPOT_LIGHT_SHADOWS + NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#endif
		#if ( SPOT_LIGHT_MAP_INDEX < NUM_SPOT_LIGHT_MAPS )
			spotLightCoord = vSpotLightCoord[ i ].xyz / vSpotLightCoord[ i ].w;
			inSpotLightMap = all( lessThan( abs( spotLightCoord * 2. - 1. ), vec3( 1.0 ) ) );
			spotColor = texture2D( spotLightMap[ SPOT_LIGHT_MAP_INDEX ], spotLightCoord.xy );
			directLight.color = inSpotLightMap ? directLight.color * spotColor.rgb : directLight.color;
		#endif
		#undef SPOT_LIGHT_MAP_INDEX
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		spotLightShadow = spotLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( spotShadowMap[ i ], spotLightShadow.shadowMapSize, spotLightShadow.shadowIntensity, spotLightShadow.shadowBias, spotLightShadow.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SUN_LIGHTS > 0 ) && defined( RE_Direct )
	SunLight sunLight;
	#if defined( USE_SHADOWMAP ) && NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHTS; i ++ ) {
		sunLight = sunLights[ i ];
		getSunLightInfo( sunLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SUN_LIGHT_SHADOWS )
		sunLightShadow = sunLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getSunShadow( sunShadowMap[ i ], sunLightShadow, UNROLLED_LOOP_INDEX ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_DIR_LIGHTS > 0 ) && defined( RE_Direct )
	DirectionalLight directionalLight;
	#if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHTS; i ++ ) {
		directionalLight = directionalLights[ i ];
		getDirectionalLightInfo( directionalLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_DIR_LIGHT_SHADOWS )
		directionalLightShadow = directionalLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( directionalShadowMap[ i ], directionalLightShadow.shadowMapSize, directionalLightShadow.shadowIntensity, directionalLightShadow.shadowBias, directionalLightShadow.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_RECT_AREA_LIGHTS > 0 ) && defined( RE_Direct_RectArea )
	RectAreaLight rectAreaLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_RECT_AREA_LIGHTS; i ++ ) {
		rectAreaLight = rectAreaLights[ i ];
		RE_Direct_RectArea( rectAreaLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if defined( RE_IndirectDiffuse )
	vec3 iblIrradiance = vec3( 0.0 );
	vec3 irradiance = getAmbientLightIrradiance( ambientLightColor );
	#if defined( USE_LIGHT_PROBES )
		irradiance += getLightProbeIrradiance( lightProbe, geometryNormal );
	#endif
	#if ( NUM_HEMI_LIGHTS > 0 )
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_HEMI_LIGHTS; i ++ ) {
			irradiance += getHemisphereLightIrradiance( hemisphereLights[ i ], geometryNormal );
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_LIGHT_PROBE_GRIDS > 0
		vec3 probeWorldPos = ( ( vec4( geometryPosition, 1.0 ) - viewMatrix[ 3 ] ) * viewMatrix ).xyz;
		vec3 probeWorldNormal = transformNormalByInverseViewMatrix( geometryNormal, viewMatrix );
		int probeGrid = - 1;
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( isInsideLightProbeGrid( probeWorldPos, probeWorldNormal, probesMin[ i ], probesMax[ i ], probesResolution[ i ] ) ) probeGrid = UNROLLED_LOOP_INDEX;
		}
		#pragma unroll_loop_end
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( probeGrid == UNROLLED_LOOP_INDEX ) irradiance += getLightProbeGridIrradiance( probesSH[ i ], probesMin[ i ], probesMax[ i ], probesResolution[ i ], probeWorldPos, probeWorldNormal );
		}
		#pragma unroll_loop_end
	#endif
#endif
#if defined( RE_IndirectSpecular )
	vec3 radiance = vec3( 0.0 );
	vec3 clearcoatRadiance = vec3( 0.0 );
#endif`,Lx=`#if defined( RE_IndirectDiffuse )
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		vec3 lightMapIrradiance = lightMapTexel.rgb * lightMapIntensity;
		irradiance += lightMapIrradiance;
	#endif
	#if defined( USE_ENVMAP ) && defined( ENVMAP_TYPE_PMREM )
		#if defined( STANDARD ) || defined( LAMBERT ) || defined( PHONG )
			iblIrradiance += getIBLIrradiance( geometryNormal );
		#endif
	#endif
#endif
#if defined( USE_ENVMAP ) && defined( RE_IndirectSpecular )
	#ifdef USE_ANISOTROPY
		vec3 iblRadiance = getIBLAnisotropyRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
	#else
		vec3 iblRadiance = getIBLRadiance( geometryViewDir, geometryNormal, material.roughness );
	#endif
	#ifdef USE_RETROREFLECTION
		#ifdef USE_ANISOTROPY
			vec3 retroIBLRadiance = getIBLAnisotropyRetroRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
		#else
			vec3 retroIBLRadiance = getIBLRetroRadiance( geometryViewDir, geometryNormal, material.roughness );
		#endif
		iblRadiance = mix( iblRadiance, retroIBLRadiance, saturate( material.retroreflectivity ) );
	#endif
	radiance += iblRadiance;
	#ifdef USE_CLEARCOAT
		clearcoatRadiance += getIBLRadiance( geometryViewDir, geometryClearcoatNormal, material.clearcoatRoughness );
	#endif
#endif`,Nx=`#if defined( RE_IndirectDiffuse )
	#if defined( LAMBERT ) || defined( PHONG )
		irradiance += iblIrradiance;
	#endif
	RE_IndirectDiffuse( irradiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif
#if defined( RE_IndirectSpecular )
	RE_IndirectSpecular( radiance, iblIrradiance, clearcoatRadiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif`,Dx=`#if NUM_LIGHT_PROBE_GRIDS > 0
uniform highp sampler3D probesSH[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMin[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMax[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesResolution[ NUM_LIGHT_PROBE_GRIDS ];
bool isInsideLightProbeGrid( vec3 worldPos, vec3 worldNormal, vec3 probesMin, vec3 probesMax, vec3 probesResolution ) {
	vec3 spacing = ( probesMax - probesMin ) / probesResolution;
	vec3 samplePos = worldPos + worldNormal * spacing * 0.5;
	vec3 margin = spacing * 0.01;
	return all( greaterThanEqual( samplePos, probesMin - margin ) ) && all( lessThanEqual( samplePos, probesMax + margin ) );
}
vec3 getLightProbeGridIrradiance( highp sampler3D probesSH, vec3 probesMin, vec3 probesMax, vec3 probesResolution, vec3 worldPos, vec3 worldNormal ) {
	vec3 res = probesResolution;
	vec3 gridRange = probesMax - probesMin;
	vec3 probeSpacing = gridRange / res;
	vec3 samplePos = worldPos + worldNormal * probeSpacing * 0.5;
	vec3 uvw = clamp( ( samplePos - probesMin ) / gridRange, 0.5 / res, 1.0 - 0.5 / res );
	float nz          = res.z;
	float paddedSlices = nz + 2.0;
	float atlasDepth  = 7.0 * paddedSlices;
	float uvZBase     = uvw.z * nz + 1.0;
	vec4 s0 = texture( probesSH, vec3( uvw.xy, ( uvZBase                       ) / atlasDepth ) );
	vec4 s1 = texture( probesSH, vec3( uvw.xy, ( uvZBase +       paddedSlices   ) / atlasDepth ) );
	vec4 s2 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 2.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s3 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 3.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s4 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 4.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s5 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 5.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s6 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 6.0 * paddedSlices   ) / atlasDepth ) );
	vec3 c0 = s0.xyz;
	vec3 c1 = vec3( s0.w, s1.xy );
	vec3 c2 = vec3( s1.zw, s2.x );
	vec3 c3 = s2.yzw;
	vec3 c4 = s3.xyz;
	vec3 c5 = vec3( s3.w, s4.xy );
	vec3 c6 = vec3( s4.zw, s5.x );
	vec3 c7 = s5.yzw;
	vec3 c8 = s6.xyz;
	float x = worldNormal.x, y = worldNormal.y, z = worldNormal.z;
	vec3 result = c0 * 0.886227;
	result += c1 * 2.0 * 0.511664 * y;
	result += c2 * 2.0 * 0.511664 * z;
	result += c3 * 2.0 * 0.511664 * x;
	result += c4 * 2.0 * 0.429043 * x * y;
	result += c5 * 2.0 * 0.429043 * y * z;
	result += c6 * ( 0.743125 * z * z - 0.247708 );
	result += c7 * 2.0 * 0.429043 * x * z;
	result += c8 * 0.429043 * ( x * x - y * y );
	return max( result, vec3( 0.0 ) );
}
#endif`,Ux=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	gl_FragDepth = vIsPerspective == 0.0 ? gl_FragCoord.z : log2( vFragDepth ) * logDepthBufFC * 0.5;
#endif`,Ox=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	uniform float logDepthBufFC;
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,Fx=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,kx=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	vFragDepth = 1.0 + gl_Position.w;
	vIsPerspective = float( isPerspectiveMatrix( projectionMatrix ) );
#endif`,Bx=`#ifdef USE_MAP
	vec4 sampledDiffuseColor = texture2D( map, vMapUv );
	#ifdef DECODE_VIDEO_TEXTURE
		sampledDiffuseColor = sRGBTransferEOTF( sampledDiffuseColor );
	#endif
	diffuseColor *= sampledDiffuseColor;
#endif`,zx=`#ifdef USE_MAP
	uniform sampler2D map;
#endif`,Vx=`#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
	#if defined( USE_POINTS_UV )
		vec2 uv = vUv;
	#else
		vec2 uv = ( uvTransform * vec3( gl_PointCoord.x, 1.0 - gl_PointCoord.y, 1 ) ).xy;
	#endif
#endif
#ifdef USE_MAP
	diffuseColor *= texture2D( map, uv );
#endif
#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, uv ).g;
#endif`,Hx=`#if defined( USE_POINTS_UV )
	varying vec2 vUv;
#else
	#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
		uniform mat3 uvTransform;
	#endif
#endif
#ifdef USE_MAP
	uniform sampler2D map;
#endif
#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,Gx=`float metalnessFactor = metalness;
#ifdef USE_METALNESSMAP
	vec4 texelMetalness = texture2D( metalnessMap, vMetalnessMapUv );
	metalnessFactor *= texelMetalness.b;
#endif`,Wx=`#ifdef USE_METALNESSMAP
	uniform sampler2D metalnessMap;
#endif`,Xx=`#ifdef USE_INSTANCING_MORPH
	float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	float morphTargetBaseInfluence = texelFetch( morphTexture, ivec2( 0, gl_InstanceID ), 0 ).r;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		morphTargetInfluences[i] =  texelFetch( morphTexture, ivec2( i + 1, gl_InstanceID ), 0 ).r;
	}
#endif`,$x=`#if defined( USE_MORPHCOLORS )
	#if defined( USE_COLOR_ALPHA )
		vColor *= morphTargetBaseInfluence;
	#elif defined( USE_COLOR )
		vColor.rgb *= morphTargetBaseInfluence;
	#endif
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		#if defined( USE_COLOR_ALPHA )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ) * morphTargetInfluences[ i ];
		#elif defined( USE_COLOR )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor.rgb += getMorph( gl_VertexID, i, 2 ).rgb * morphTargetInfluences[ i ];
		#endif
	}
#endif`,qx=`#ifdef USE_MORPHNORMALS
	objectNormal *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) objectNormal += getMorph( gl_VertexID, i, 1 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,Yx=`#ifdef USE_MORPHTARGETS
	#ifndef USE_INSTANCING_MORPH
		uniform float morphTargetBaseInfluence;
		uniform float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	#endif
	uniform sampler2DArray morphTargetsTexture;
	uniform ivec2 morphTargetsTextureSize;
	vec4 getMorph( const in int vertexIndex, const in int morphTargetIndex, const in int offset ) {
		int texelIndex = vertexIndex * MORPHTARGETS_TEXTURE_STRIDE + offset;
		int y = texelIndex / morphTargetsTextureSize.x;
		int x = texelIndex - y * morphTargetsTextureSize.x;
		ivec3 morphUV = ivec3( x, y, morphTargetIndex );
		return texelFetch( morphTargetsTexture, morphUV, 0 );
	}
#endif`,Zx=`#ifdef USE_MORPHTARGETS
	transformed *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) transformed += getMorph( gl_VertexID, i, 0 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,Kx=`float faceDirection = gl_FrontFacing ? 1.0 : - 1.0;
#ifdef FLAT_SHADED
	vec3 fdx = dFdx( vViewPosition );
	vec3 fdy = dFdy( vViewPosition );
	vec3 normal = normalize( cross( fdx, fdy ) );
#else
	vec3 normal = normalize( vNormal );
	#ifdef DOUBLE_SIDED
		normal *= faceDirection;
	#endif
#endif
#if defined( USE_NORMALMAP_TANGENTSPACE ) || defined( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY )
	#ifdef USE_TANGENT
		mat3 tbn = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn = getTangentFrame( - vViewPosition, normal,
		#if defined( USE_NORMALMAP )
			vNormalMapUv
		#elif defined( USE_CLEARCOAT_NORMALMAP )
			vClearcoatNormalMapUv
		#else
			vUv
		#endif
		);
	#endif
	#ifdef DOUBLE_SIDED
		tbn[0] *= faceDirection;
		tbn[1] *= faceDirection;
	#endif
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	#ifdef USE_TANGENT
		mat3 tbn2 = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn2 = getTangentFrame( - vViewPosition, normal, vClearcoatNormalMapUv );
	#endif
	#ifdef DOUBLE_SIDED
		tbn2[0] *= faceDirection;
		tbn2[1] *= faceDirection;
	#endif
#endif
vec3 nonPerturbedNormal = normal;`,Jx=`#ifdef USE_NORMALMAP_OBJECTSPACE
	normal = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#ifdef FLIP_SIDED
		normal = - normal;
	#endif
	#ifdef DOUBLE_SIDED
		normal = normal * faceDirection;
	#endif
	normal = normalize( normalMatrix * normal );
#elif defined( USE_NORMALMAP_TANGENTSPACE )
	vec3 mapN = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#if defined( USE_PACKED_NORMALMAP )
		mapN = vec3( mapN.xy, sqrt( saturate( 1.0 - dot( mapN.xy, mapN.xy ) ) ) );
	#endif
	mapN.xy *= normalScale;
	normal = normalize( tbn * mapN );
#elif defined( USE_BUMPMAP )
	normal = perturbNormalArb( - vViewPosition, normal, dHdxy_fwd(), faceDirection );
#endif`,jx=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,Qx=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,tv=`#ifndef FLAT_SHADED
	vNormal = normalize( transformedNormal );
	#ifdef USE_TANGENT
		vTangent = normalize( transformedTangent );
		vBitangent = normalize( cross( vNormal, vTangent ) * tangent.w );
		#ifdef FLIP_SIDED
			vBitangent = - vBitangent;
		#endif
	#endif
#endif`,ev=`#ifdef USE_NORMALMAP
	uniform sampler2D normalMap;
	uniform vec2 normalScale;
#endif
#ifdef USE_NORMALMAP_OBJECTSPACE
	uniform mat3 normalMatrix;
#endif
#if ! defined ( USE_TANGENT ) && ( defined ( USE_NORMALMAP_TANGENTSPACE ) || defined ( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY ) )
	mat3 getTangentFrame( vec3 eye_pos, vec3 surf_norm, vec2 uv ) {
		vec3 q0 = dFdx( eye_pos.xyz );
		vec3 q1 = dFdy( eye_pos.xyz );
		vec2 st0 = dFdx( uv.st );
		vec2 st1 = dFdy( uv.st );
		vec3 N = surf_norm;
		vec3 q1perp = cross( q1, N );
		vec3 q0perp = cross( N, q0 );
		vec3 T = q1perp * st0.x + q0perp * st1.x;
		vec3 B = q1perp * st0.y + q0perp * st1.y;
		float det = max( dot( T, T ), dot( B, B ) );
		float scale = ( det == 0.0 ) ? 0.0 : inversesqrt( det );
		return mat3( T * scale, B * scale, N );
	}
#endif`,nv=`#ifdef USE_CLEARCOAT
	vec3 clearcoatNormal = nonPerturbedNormal;
#endif`,iv=`#ifdef USE_CLEARCOAT_NORMALMAP
	vec3 clearcoatMapN = texture2D( clearcoatNormalMap, vClearcoatNormalMapUv ).xyz * 2.0 - 1.0;
	clearcoatMapN.xy *= clearcoatNormalScale;
	clearcoatNormal = normalize( tbn2 * clearcoatMapN );
#endif`,sv=`#ifdef USE_CLEARCOATMAP
	uniform sampler2D clearcoatMap;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform sampler2D clearcoatNormalMap;
	uniform vec2 clearcoatNormalScale;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform sampler2D clearcoatRoughnessMap;
#endif`,rv=`#ifdef USE_IRIDESCENCEMAP
	uniform sampler2D iridescenceMap;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform sampler2D iridescenceThicknessMap;
#endif`,ov=`#ifdef OPAQUE
diffuseColor.a = 1.0;
#endif
#ifdef USE_TRANSMISSION
diffuseColor.a *= material.transmissionAlpha;
#endif
gl_FragColor = vec4( outgoingLight, diffuseColor.a );`,av=`vec3 packNormalToRGB( const in vec3 normal ) {
	return normalize( normal ) * 0.5 + 0.5;
}
vec3 unpackRGBToNormal( const in vec3 rgb ) {
	return 2.0 * rgb.xyz - 1.0;
}
const float PackUpscale = 256. / 255.;const float UnpackDownscale = 255. / 256.;const float ShiftRight8 = 1. / 256.;
const float Inv255 = 1. / 255.;
const vec4 PackFactors = vec4( 1.0, 256.0, 256.0 * 256.0, 256.0 * 256.0 * 256.0 );
const vec2 UnpackFactors2 = vec2( UnpackDownscale, 1.0 / PackFactors.g );
const vec3 UnpackFactors3 = vec3( UnpackDownscale / PackFactors.rg, 1.0 / PackFactors.b );
const vec4 UnpackFactors4 = vec4( UnpackDownscale / PackFactors.rgb, 1.0 / PackFactors.a );
vec4 packDepthToRGBA( const in float v ) {
	if( v <= 0.0 )
		return vec4( 0., 0., 0., 0. );
	if( v >= 1.0 )
		return vec4( 1., 1., 1., 1. );
	float vuf;
	float af = modf( v * PackFactors.a, vuf );
	float bf = modf( vuf * ShiftRight8, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec4( vuf * Inv255, gf * PackUpscale, bf * PackUpscale, af );
}
vec3 packDepthToRGB( const in float v ) {
	if( v <= 0.0 )
		return vec3( 0., 0., 0. );
	if( v >= 1.0 )
		return vec3( 1., 1., 1. );
	float vuf;
	float bf = modf( v * PackFactors.b, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec3( vuf * Inv255, gf * PackUpscale, bf );
}
vec2 packDepthToRG( const in float v ) {
	if( v <= 0.0 )
		return vec2( 0., 0. );
	if( v >= 1.0 )
		return vec2( 1., 1. );
	float vuf;
	float gf = modf( v * 256., vuf );
	return vec2( vuf * Inv255, gf );
}
float unpackRGBAToDepth( const in vec4 v ) {
	return dot( v, UnpackFactors4 );
}
float unpackRGBToDepth( const in vec3 v ) {
	return dot( v, UnpackFactors3 );
}
float unpackRGToDepth( const in vec2 v ) {
	return v.r * UnpackFactors2.r + v.g * UnpackFactors2.g;
}
vec4 pack2HalfToRGBA( const in vec2 v ) {
	vec4 r = vec4( v.x, fract( v.x * 255.0 ), v.y, fract( v.y * 255.0 ) );
	return vec4( r.x - r.y / 255.0, r.y, r.z - r.w / 255.0, r.w );
}
vec2 unpackRGBATo2Half( const in vec4 v ) {
	return vec2( v.x + ( v.y / 255.0 ), v.z + ( v.w / 255.0 ) );
}
float viewZToOrthographicDepth( const in float viewZ, const in float near, const in float far ) {
	return ( viewZ + near ) / ( near - far );
}
float orthographicDepthToViewZ( const in float depth, const in float near, const in float far ) {
	#ifdef USE_REVERSED_DEPTH_BUFFER
	
		return depth * ( far - near ) - far;
	#else
		return depth * ( near - far ) - near;
	#endif
}
float viewZToPerspectiveDepth( const in float viewZ, const in float near, const in float far ) {
	return ( ( near + viewZ ) * far ) / ( ( far - near ) * viewZ );
}
float perspectiveDepthToViewZ( const in float depth, const in float near, const in float far ) {
	
	#ifdef USE_REVERSED_DEPTH_BUFFER
		return ( near * far ) / ( ( near - far ) * depth - near );
	#else
		return ( near * far ) / ( ( far - near ) * depth - far );
	#endif
}`,lv=`#ifdef PREMULTIPLIED_ALPHA
	gl_FragColor.rgb *= gl_FragColor.a;
#endif`,cv=`vec4 mvPosition = vec4( transformed, 1.0 );
#ifdef USE_BATCHING
	mvPosition = batchingMatrix * mvPosition;
#endif
#ifdef USE_INSTANCING
	mvPosition = instanceMatrix * mvPosition;
#endif
mvPosition = modelViewMatrix * mvPosition;
gl_Position = projectionMatrix * mvPosition;`,hv=`#ifdef DITHERING
	gl_FragColor.rgb = dithering( gl_FragColor.rgb );
#endif`,uv=`#ifdef DITHERING
	vec3 dithering( vec3 color ) {
		float grid_position = rand( gl_FragCoord.xy );
		vec3 dither_shift_RGB = vec3( 0.25 / 255.0, -0.25 / 255.0, 0.25 / 255.0 );
		dither_shift_RGB = mix( 2.0 * dither_shift_RGB, -2.0 * dither_shift_RGB, grid_position );
		return color + dither_shift_RGB;
	}
#endif`,dv=`float roughnessFactor = roughness;
#ifdef USE_ROUGHNESSMAP
	vec4 texelRoughness = texture2D( roughnessMap, vRoughnessMapUv );
	roughnessFactor *= texelRoughness.g;
#endif`,fv=`#ifdef USE_ROUGHNESSMAP
	uniform sampler2D roughnessMap;
#endif`,pv=`#if NUM_SPOT_LIGHT_COORDS > 0
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#if NUM_SPOT_LIGHT_MAPS > 0
	uniform sampler2D spotLightMap[ NUM_SPOT_LIGHT_MAPS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		#define SUN_LIGHT_CASCADES 2
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#else
			uniform sampler2D sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#endif
		uniform mat4 sunShadowMatrix[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		uniform vec4 sunShadowCascade[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
		struct SunLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SunLightShadow sunLightShadows[ NUM_SUN_LIGHT_SHADOWS ];
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#else
			uniform sampler2D directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#endif
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#else
			uniform sampler2D spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#endif
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform samplerCubeShadow pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#elif defined( SHADOWMAP_TYPE_BASIC )
			uniform samplerCube pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#endif
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float interleavedGradientNoise( vec2 position ) {
			return fract( 52.9829189 * fract( dot( position, vec2( 0.06711056, 0.00583715 ) ) ) );
		}
		vec2 vogelDiskSample( int sampleIndex, int samplesCount, float phi ) {
			const float goldenAngle = 2.399963229728653;
			float r = sqrt( ( float( sampleIndex ) + 0.5 ) / float( samplesCount ) );
			float theta = float( sampleIndex ) * goldenAngle + phi;
			return vec2( cos( theta ), sin( theta ) ) * r;
		}
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float getShadow( sampler2DShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
				vec2 radius = shadowRadius * texelSize;
				float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
				shadow = (
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 0, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 1, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 2, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 3, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 4, 5, phi ) * radius, shadowCoord.z ) )
				) * 0.2;
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#elif defined( SHADOWMAP_TYPE_VSM )
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 distribution = texture2D( shadowMap, shadowCoord.xy ).rg;
				float mean = distribution.x;
				float variance = distribution.y * distribution.y;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					float hard_shadow = step( mean, shadowCoord.z );
				#else
					float hard_shadow = step( shadowCoord.z, mean );
				#endif
				
				if ( hard_shadow == 1.0 ) {
					shadow = 1.0;
				} else {
					variance = max( variance, 0.0000001 );
					float d = shadowCoord.z - mean;
					float p_max = variance / ( variance + d * d );
					p_max = clamp( ( p_max - 0.3 ) / 0.65, 0.0, 1.0 );
					shadow = max( hard_shadow, p_max );
				}
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#else
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				float depth = texture2D( shadowMap, shadowCoord.xy ).r;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					shadow = step( depth, shadowCoord.z );
				#else
					shadow = step( shadowCoord.z, depth );
				#endif
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#endif
	#if NUM_SUN_LIGHT_SHADOWS > 0
		float getSunShadow(
			#if defined( SHADOWMAP_TYPE_PCF )
				sampler2DShadow shadowMap,
			#else
				sampler2D shadowMap,
			#endif
			SunLightShadow sunLightShadow,
			int shadowIndex
		) {
			vec4 shadowWorldPosition = vec4( vSunShadowWorldPosition.xyz + vSunShadowWorldNormal * sunLightShadow.shadowNormalBias, 1.0 );
			float viewDepth = vSunShadowWorldPosition.w;
			int cascadeOffset = shadowIndex * SUN_LIGHT_CASCADES;
			float shadow = 1.0;
			for ( int i = SUN_LIGHT_CASCADES - 1; i >= 0; i -- ) {
				vec4 cascade = sunShadowCascade[ cascadeOffset + i ];
				if ( viewDepth >= cascade.x && viewDepth < cascade.y ) {
					float cascadeShadow = getShadow(
						shadowMap,
						sunLightShadow.shadowMapSize,
						sunLightShadow.shadowIntensity,
						sunLightShadow.shadowBias,
						sunLightShadow.shadowRadius,
						sunShadowMatrix[ cascadeOffset + i ] * shadowWorldPosition
					);
					shadow = mix( cascadeShadow, shadow, smoothstep( cascade.z, cascade.y, viewDepth ) );
				}
			}
			return shadow;
		}
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
	#if defined( SHADOWMAP_TYPE_PCF )
	float getPointShadow( samplerCubeShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 bd3D = normalize( lightToPosition );
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float lightDistance = length( lightToPosition );
			float depthRange = shadowCameraFar - shadowCameraNear;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				float depthA = - shadowCameraNear / depthRange - shadowBias;
				float depthB = shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#else
				float depthA = shadowCameraFar / depthRange + shadowBias;
				float depthB = - shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#endif
			float texelSize = shadowRadius / shadowMapSize.x;
			vec3 absDir = abs( bd3D );
			vec3 tangent = absDir.x > absDir.z ? vec3( 0.0, 1.0, 0.0 ) : vec3( 1.0, 0.0, 0.0 );
			tangent = normalize( cross( bd3D, tangent ) );
			vec3 bitangent = cross( bd3D, tangent );
			float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
			shadow = 0.0;
			for ( int i = 0; i < 5; i ++ ) {
				vec2 offset = vogelDiskSample( i, 5, phi );
				vec3 direction = bd3D + ( tangent * offset.x + bitangent * offset.y ) * texelSize;
				vec3 absDirection = abs( direction );
				float dp = depthA + depthB / max( max( absDirection.x, absDirection.y ), absDirection.z );
				shadow += texture( shadowMap, vec4( direction, dp ) );
			}
			shadow *= 0.2;
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#elif defined( SHADOWMAP_TYPE_BASIC )
	float getPointShadow( samplerCube shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float dp = ( shadowCameraFar * ( viewSpaceZ - shadowCameraNear ) ) / ( viewSpaceZ * ( shadowCameraFar - shadowCameraNear ) );
			dp += shadowBias;
			vec3 bd3D = normalize( lightToPosition );
			float depth = textureCube( shadowMap, bd3D ).r;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				depth = 1.0 - depth;
			#endif
			shadow = step( dp, depth );
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#endif
	#endif
#endif`,mv=`#if NUM_SPOT_LIGHT_COORDS > 0
	uniform mat4 spotLightMatrix[ NUM_SPOT_LIGHT_COORDS ];
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform mat4 directionalShadowMatrix[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform mat4 pointShadowMatrix[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
#endif`,gv=`#if ( defined( USE_SHADOWMAP ) && ( NUM_DIR_LIGHT_SHADOWS > 0 || NUM_SUN_LIGHT_SHADOWS > 0 || NUM_POINT_LIGHT_SHADOWS > 0 ) ) || ( NUM_SPOT_LIGHT_COORDS > 0 )
	#ifdef HAS_NORMAL
		vec3 shadowWorldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
	#else
		vec3 shadowWorldNormal = vec3( 0.0 );
	#endif
	vec4 shadowWorldPosition;
#endif
#if defined( USE_SHADOWMAP )
	#if NUM_SUN_LIGHT_SHADOWS > 0
		vSunShadowWorldPosition = vec4( worldPosition.xyz, - mvPosition.z );
		vSunShadowWorldNormal = shadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * directionalLightShadows[ i ].shadowNormalBias, 0 );
			vDirectionalShadowCoord[ i ] = directionalShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * pointLightShadows[ i ].shadowNormalBias, 0 );
			vPointShadowCoord[ i ] = pointShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
#endif
#if NUM_SPOT_LIGHT_COORDS > 0
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_COORDS; i ++ ) {
		shadowWorldPosition = worldPosition;
		#if ( defined( USE_SHADOWMAP ) && UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
			shadowWorldPosition.xyz += shadowWorldNormal * spotLightShadows[ i ].shadowNormalBias;
		#endif
		vSpotLightCoord[ i ] = spotLightMatrix[ i ] * shadowWorldPosition;
	}
	#pragma unroll_loop_end
#endif`,xv=`float getShadowMask() {
	float shadow = 1.0;
	#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHT_SHADOWS; i ++ ) {
		sunLight = sunLightShadows[ i ];
		shadow *= receiveShadow ? getSunShadow( sunShadowMap[ i ], sunLight, UNROLLED_LOOP_INDEX ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
		directionalLight = directionalLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( directionalShadowMap[ i ], directionalLight.shadowMapSize, directionalLight.shadowIntensity, directionalLight.shadowBias, directionalLight.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_SHADOWS; i ++ ) {
		spotLight = spotLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( spotShadowMap[ i ], spotLight.shadowMapSize, spotLight.shadowIntensity, spotLight.shadowBias, spotLight.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0 && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
	PointLightShadow pointLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
		pointLight = pointLightShadows[ i ];
		shadow *= receiveShadow ? getPointShadow( pointShadowMap[ i ], pointLight.shadowMapSize, pointLight.shadowIntensity, pointLight.shadowBias, pointLight.shadowRadius, vPointShadowCoord[ i ], pointLight.shadowCameraNear, pointLight.shadowCameraFar ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#endif
	return shadow;
}`,vv=`#ifdef USE_SKINNING
	mat4 boneMatX = getBoneMatrix( skinIndex.x );
	mat4 boneMatY = getBoneMatrix( skinIndex.y );
	mat4 boneMatZ = getBoneMatrix( skinIndex.z );
	mat4 boneMatW = getBoneMatrix( skinIndex.w );
#endif`,yv=`#ifdef USE_SKINNING
	uniform mat4 bindMatrix;
	uniform mat4 bindMatrixInverse;
	uniform highp sampler2D boneTexture;
	mat4 getBoneMatrix( const in float i ) {
		int size = textureSize( boneTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( boneTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( boneTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( boneTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( boneTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
#endif`,_v=`#ifdef USE_SKINNING
	vec4 skinVertex = bindMatrix * vec4( transformed, 1.0 );
	vec4 skinned = vec4( 0.0 );
	skinned += boneMatX * skinVertex * skinWeight.x;
	skinned += boneMatY * skinVertex * skinWeight.y;
	skinned += boneMatZ * skinVertex * skinWeight.z;
	skinned += boneMatW * skinVertex * skinWeight.w;
	transformed = ( bindMatrixInverse * skinned ).xyz;
#endif`,bv=`#ifdef USE_SKINNING
	mat4 skinMatrix = mat4( 0.0 );
	skinMatrix += skinWeight.x * boneMatX;
	skinMatrix += skinWeight.y * boneMatY;
	skinMatrix += skinWeight.z * boneMatZ;
	skinMatrix += skinWeight.w * boneMatW;
	skinMatrix = bindMatrixInverse * skinMatrix * bindMatrix;
	objectNormal = vec4( skinMatrix * vec4( objectNormal, 0.0 ) ).xyz;
	#ifdef USE_TANGENT
		objectTangent = vec4( skinMatrix * vec4( objectTangent, 0.0 ) ).xyz;
	#endif
#endif`,Mv=`float specularStrength;
#ifdef USE_SPECULARMAP
	vec4 texelSpecular = texture2D( specularMap, vSpecularMapUv );
	specularStrength = texelSpecular.r;
#else
	specularStrength = 1.0;
#endif`,Sv=`#ifdef USE_SPECULARMAP
	uniform sampler2D specularMap;
#endif`,wv=`#if defined( TONE_MAPPING )
	gl_FragColor.rgb = toneMapping( gl_FragColor.rgb );
#endif`,Tv=`#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
uniform float toneMappingExposure;
vec3 LinearToneMapping( vec3 color ) {
	return saturate( toneMappingExposure * color );
}
vec3 ReinhardToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	return saturate( color / ( vec3( 1.0 ) + color ) );
}
vec3 CineonToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	color = max( vec3( 0.0 ), color - 0.004 );
	return pow( ( color * ( 6.2 * color + 0.5 ) ) / ( color * ( 6.2 * color + 1.7 ) + 0.06 ), vec3( 2.2 ) );
}
vec3 RRTAndODTFit( vec3 v ) {
	vec3 a = v * ( v + 0.0245786 ) - 0.000090537;
	vec3 b = v * ( 0.983729 * v + 0.4329510 ) + 0.238081;
	return a / b;
}
vec3 ACESFilmicToneMapping( vec3 color ) {
	const mat3 ACESInputMat = mat3(
		vec3( 0.59719, 0.07600, 0.02840 ),		vec3( 0.35458, 0.90834, 0.13383 ),
		vec3( 0.04823, 0.01566, 0.83777 )
	);
	const mat3 ACESOutputMat = mat3(
		vec3(  1.60475, -0.10208, -0.00327 ),		vec3( -0.53108,  1.10813, -0.07276 ),
		vec3( -0.07367, -0.00605,  1.07602 )
	);
	color *= toneMappingExposure / 0.6;
	color = ACESInputMat * color;
	color = RRTAndODTFit( color );
	color = ACESOutputMat * color;
	return saturate( color );
}
const mat3 LINEAR_REC2020_TO_LINEAR_SRGB = mat3(
	vec3( 1.6605, - 0.1246, - 0.0182 ),
	vec3( - 0.5876, 1.1329, - 0.1006 ),
	vec3( - 0.0728, - 0.0083, 1.1187 )
);
const mat3 LINEAR_SRGB_TO_LINEAR_REC2020 = mat3(
	vec3( 0.6274, 0.0691, 0.0164 ),
	vec3( 0.3293, 0.9195, 0.0880 ),
	vec3( 0.0433, 0.0113, 0.8956 )
);
vec3 agxDefaultContrastApprox( vec3 x ) {
	vec3 x2 = x * x;
	vec3 x4 = x2 * x2;
	return + 15.5 * x4 * x2
		- 40.14 * x4 * x
		+ 31.96 * x4
		- 6.868 * x2 * x
		+ 0.4298 * x2
		+ 0.1191 * x
		- 0.00232;
}
vec3 AgXToneMapping( vec3 color ) {
	const mat3 AgXInsetMatrix = mat3(
		vec3( 0.856627153315983, 0.137318972929847, 0.11189821299995 ),
		vec3( 0.0951212405381588, 0.761241990602591, 0.0767994186031903 ),
		vec3( 0.0482516061458583, 0.101439036467562, 0.811302368396859 )
	);
	const mat3 AgXOutsetMatrix = mat3(
		vec3( 1.1271005818144368, - 0.1413297634984383, - 0.14132976349843826 ),
		vec3( - 0.11060664309660323, 1.157823702216272, - 0.11060664309660294 ),
		vec3( - 0.016493938717834573, - 0.016493938717834257, 1.2519364065950405 )
	);
	const float AgxMinEv = - 12.47393;	const float AgxMaxEv = 4.026069;
	color *= toneMappingExposure;
	color = LINEAR_SRGB_TO_LINEAR_REC2020 * color;
	color = AgXInsetMatrix * color;
	color = max( color, 1e-10 );	color = log2( color );
	color = ( color - AgxMinEv ) / ( AgxMaxEv - AgxMinEv );
	color = clamp( color, 0.0, 1.0 );
	color = agxDefaultContrastApprox( color );
	color = AgXOutsetMatrix * color;
	color = pow( max( vec3( 0.0 ), color ), vec3( 2.2 ) );
	color = LINEAR_REC2020_TO_LINEAR_SRGB * color;
	color = clamp( color, 0.0, 1.0 );
	return color;
}
vec3 NeutralToneMapping( vec3 color ) {
	const float StartCompression = 0.8 - 0.04;
	const float Desaturation = 0.15;
	color *= toneMappingExposure;
	float x = min( color.r, min( color.g, color.b ) );
	float offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
	color -= offset;
	float peak = max( color.r, max( color.g, color.b ) );
	if ( peak < StartCompression ) return color;
	float d = 1. - StartCompression;
	float newPeak = 1. - d * d / ( peak + d - StartCompression );
	color *= newPeak / peak;
	float g = 1. - 1. / ( Desaturation * ( peak - newPeak ) + 1. );
	return mix( color, vec3( newPeak ), g );
}
vec3 CustomToneMapping( vec3 color ) { return color; }`,Ev=`#ifdef USE_TRANSMISSION
	material.transmission = transmission;
	material.transmissionAlpha = 1.0;
	material.thickness = thickness;
	material.attenuationDistance = attenuationDistance;
	material.attenuationColor = attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		material.transmission *= texture2D( transmissionMap, vTransmissionMapUv ).r;
	#endif
	#ifdef USE_THICKNESSMAP
		material.thickness *= texture2D( thicknessMap, vThicknessMapUv ).g;
	#endif
	vec3 pos = vWorldPosition;
	vec3 v = normalize( cameraPosition - pos );
	vec3 n = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec4 transmitted = getIBLVolumeRefraction(
		n, v, material.roughness, material.diffuseContribution, material.specularColorBlended, material.specularF90,
		pos, modelMatrix, viewMatrix, projectionMatrix, material.dispersion, material.ior, material.thickness,
		material.attenuationColor, material.attenuationDistance );
	material.transmissionAlpha = mix( material.transmissionAlpha, transmitted.a, material.transmission );
	totalDiffuse = mix( totalDiffuse, transmitted.rgb, material.transmission );
#endif`,Av=`#ifdef USE_TRANSMISSION
	uniform float transmission;
	uniform float thickness;
	uniform float attenuationDistance;
	uniform vec3 attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		uniform sampler2D transmissionMap;
	#endif
	#ifdef USE_THICKNESSMAP
		uniform sampler2D thicknessMap;
	#endif
	uniform vec2 transmissionSamplerSize;
	uniform sampler2D transmissionSamplerMap;
	uniform mat4 modelMatrix;
	uniform mat4 projectionMatrix;
	varying vec3 vWorldPosition;
	float w0( float a ) {
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - a + 3.0 ) - 3.0 ) + 1.0 );
	}
	float w1( float a ) {
		return ( 1.0 / 6.0 ) * ( a *  a * ( 3.0 * a - 6.0 ) + 4.0 );
	}
	float w2( float a ){
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - 3.0 * a + 3.0 ) + 3.0 ) + 1.0 );
	}
	float w3( float a ) {
		return ( 1.0 / 6.0 ) * ( a * a * a );
	}
	float g0( float a ) {
		return w0( a ) + w1( a );
	}
	float g1( float a ) {
		return w2( a ) + w3( a );
	}
	float h0( float a ) {
		return - 1.0 + w1( a ) / ( w0( a ) + w1( a ) );
	}
	float h1( float a ) {
		return 1.0 + w3( a ) / ( w2( a ) + w3( a ) );
	}
	vec4 bicubic( sampler2D tex, vec2 uv, vec4 texelSize, float lod ) {
		uv = uv * texelSize.zw + 0.5;
		vec2 iuv = floor( uv );
		vec2 fuv = fract( uv );
		float g0x = g0( fuv.x );
		float g1x = g1( fuv.x );
		float h0x = h0( fuv.x );
		float h1x = h1( fuv.x );
		float h0y = h0( fuv.y );
		float h1y = h1( fuv.y );
		vec2 p0 = ( vec2( iuv.x + h0x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p1 = ( vec2( iuv.x + h1x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p2 = ( vec2( iuv.x + h0x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		vec2 p3 = ( vec2( iuv.x + h1x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		return g0( fuv.y ) * ( g0x * textureLod( tex, p0, lod ) + g1x * textureLod( tex, p1, lod ) ) +
			g1( fuv.y ) * ( g0x * textureLod( tex, p2, lod ) + g1x * textureLod( tex, p3, lod ) );
	}
	vec4 textureBicubic( sampler2D sampler, vec2 uv, float lod ) {
		vec2 fLodSize = vec2( textureSize( sampler, int( lod ) ) );
		vec2 cLodSize = vec2( textureSize( sampler, int( lod + 1.0 ) ) );
		vec2 fLodSizeInv = 1.0 / fLodSize;
		vec2 cLodSizeInv = 1.0 / cLodSize;
		vec4 fSample = bicubic( sampler, uv, vec4( fLodSizeInv, fLodSize ), floor( lod ) );
		vec4 cSample = bicubic( sampler, uv, vec4( cLodSizeInv, cLodSize ), ceil( lod ) );
		return mix( fSample, cSample, fract( lod ) );
	}
	vec3 getVolumeTransmissionRay( const in vec3 n, const in vec3 v, const in float thickness, const in float ior, const in mat4 modelMatrix ) {
		vec3 refractionVector = refract( - v, normalize( n ), 1.0 / ior );
		vec3 modelScale;
		modelScale.x = length( vec3( modelMatrix[ 0 ].xyz ) );
		modelScale.y = length( vec3( modelMatrix[ 1 ].xyz ) );
		modelScale.z = length( vec3( modelMatrix[ 2 ].xyz ) );
		return normalize( refractionVector ) * thickness * modelScale;
	}
	float applyIorToRoughness( const in float roughness, const in float ior ) {
		return roughness * clamp( ior * 2.0 - 2.0, 0.0, 1.0 );
	}
	vec4 getTransmissionSample( const in vec2 fragCoord, const in float roughness, const in float ior ) {
		float lod = log2( transmissionSamplerSize.x ) * applyIorToRoughness( roughness, ior );
		return textureBicubic( transmissionSamplerMap, fragCoord.xy, lod );
	}
	vec3 volumeAttenuation( const in float transmissionDistance, const in vec3 attenuationColor, const in float attenuationDistance ) {
		if ( isinf( attenuationDistance ) ) {
			return vec3( 1.0 );
		} else {
			vec3 attenuationCoefficient = -log( attenuationColor ) / attenuationDistance;
			vec3 transmittance = exp( - attenuationCoefficient * transmissionDistance );			return transmittance;
		}
	}
	vec4 getIBLVolumeRefraction( const in vec3 n, const in vec3 v, const in float roughness, const in vec3 diffuseColor,
		const in vec3 specularColor, const in float specularF90, const in vec3 position, const in mat4 modelMatrix,
		const in mat4 viewMatrix, const in mat4 projMatrix, const in float dispersion, const in float ior, const in float thickness,
		const in vec3 attenuationColor, const in float attenuationDistance ) {
		vec4 transmittedLight;
		vec3 transmittance;
		#ifdef USE_DISPERSION
			float halfSpread = ( ior - 1.0 ) * 0.025 * dispersion;
			vec3 iors = vec3( ior - halfSpread, ior, ior + halfSpread );
			for ( int i = 0; i < 3; i ++ ) {
				vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, iors[ i ], modelMatrix );
				vec3 refractedRayExit = position + transmissionRay;
				vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
				vec2 refractionCoords = ndcPos.xy / ndcPos.w;
				refractionCoords += 1.0;
				refractionCoords /= 2.0;
				vec4 transmissionSample = getTransmissionSample( refractionCoords, roughness, iors[ i ] );
				transmittedLight[ i ] = transmissionSample[ i ];
				transmittedLight.a += transmissionSample.a;
				transmittance[ i ] = diffuseColor[ i ] * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance )[ i ];
			}
			transmittedLight.a /= 3.0;
		#else
			vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, ior, modelMatrix );
			vec3 refractedRayExit = position + transmissionRay;
			vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
			vec2 refractionCoords = ndcPos.xy / ndcPos.w;
			refractionCoords += 1.0;
			refractionCoords /= 2.0;
			transmittedLight = getTransmissionSample( refractionCoords, roughness, ior );
			transmittance = diffuseColor * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance );
		#endif
		vec3 attenuatedColor = transmittance * transmittedLight.rgb;
		vec3 F = EnvironmentBRDF( n, v, specularColor, specularF90, roughness );
		float transmittanceFactor = ( transmittance.r + transmittance.g + transmittance.b ) / 3.0;
		return vec4( ( 1.0 - F ) * attenuatedColor, 1.0 - ( 1.0 - transmittedLight.a ) * transmittanceFactor );
	}
#endif`,Cv=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_SPECULARMAP
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,Rv=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	uniform mat3 mapTransform;
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	uniform mat3 alphaMapTransform;
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	uniform mat3 lightMapTransform;
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	uniform mat3 aoMapTransform;
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	uniform mat3 bumpMapTransform;
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	uniform mat3 normalMapTransform;
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_DISPLACEMENTMAP
	uniform mat3 displacementMapTransform;
	varying vec2 vDisplacementMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	uniform mat3 emissiveMapTransform;
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	uniform mat3 metalnessMapTransform;
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	uniform mat3 roughnessMapTransform;
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	uniform mat3 diffuseRoughnessMapTransform;
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	uniform mat3 anisotropyMapTransform;
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	uniform mat3 clearcoatMapTransform;
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform mat3 clearcoatNormalMapTransform;
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform mat3 clearcoatRoughnessMapTransform;
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	uniform mat3 sheenColorMapTransform;
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	uniform mat3 sheenRoughnessMapTransform;
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	uniform mat3 iridescenceMapTransform;
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform mat3 iridescenceThicknessMapTransform;
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SPECULARMAP
	uniform mat3 specularMapTransform;
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	uniform mat3 specularColorMapTransform;
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	uniform mat3 specularIntensityMapTransform;
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,Pv=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	vUv = vec3( uv, 1 ).xy;
#endif
#ifdef USE_MAP
	vMapUv = ( mapTransform * vec3( MAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ALPHAMAP
	vAlphaMapUv = ( alphaMapTransform * vec3( ALPHAMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_LIGHTMAP
	vLightMapUv = ( lightMapTransform * vec3( LIGHTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_AOMAP
	vAoMapUv = ( aoMapTransform * vec3( AOMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_BUMPMAP
	vBumpMapUv = ( bumpMapTransform * vec3( BUMPMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_NORMALMAP
	vNormalMapUv = ( normalMapTransform * vec3( NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DISPLACEMENTMAP
	vDisplacementMapUv = ( displacementMapTransform * vec3( DISPLACEMENTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_EMISSIVEMAP
	vEmissiveMapUv = ( emissiveMapTransform * vec3( EMISSIVEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_METALNESSMAP
	vMetalnessMapUv = ( metalnessMapTransform * vec3( METALNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ROUGHNESSMAP
	vRoughnessMapUv = ( roughnessMapTransform * vec3( ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	vDiffuseRoughnessMapUv = ( diffuseRoughnessMapTransform * vec3( DIFFUSE_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ANISOTROPYMAP
	vAnisotropyMapUv = ( anisotropyMapTransform * vec3( ANISOTROPYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOATMAP
	vClearcoatMapUv = ( clearcoatMapTransform * vec3( CLEARCOATMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	vClearcoatNormalMapUv = ( clearcoatNormalMapTransform * vec3( CLEARCOAT_NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	vClearcoatRoughnessMapUv = ( clearcoatRoughnessMapTransform * vec3( CLEARCOAT_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCEMAP
	vIridescenceMapUv = ( iridescenceMapTransform * vec3( IRIDESCENCEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	vIridescenceThicknessMapUv = ( iridescenceThicknessMapTransform * vec3( IRIDESCENCE_THICKNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_COLORMAP
	vSheenColorMapUv = ( sheenColorMapTransform * vec3( SHEEN_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	vSheenRoughnessMapUv = ( sheenRoughnessMapTransform * vec3( SHEEN_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULARMAP
	vSpecularMapUv = ( specularMapTransform * vec3( SPECULARMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_COLORMAP
	vSpecularColorMapUv = ( specularColorMapTransform * vec3( SPECULAR_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	vSpecularIntensityMapUv = ( specularIntensityMapTransform * vec3( SPECULAR_INTENSITYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_TRANSMISSIONMAP
	vTransmissionMapUv = ( transmissionMapTransform * vec3( TRANSMISSIONMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_THICKNESSMAP
	vThicknessMapUv = ( thicknessMapTransform * vec3( THICKNESSMAP_UV, 1 ) ).xy;
#endif`,Iv=`#if defined( USE_ENVMAP ) || defined( DISTANCE ) || defined ( USE_SHADOWMAP ) || defined ( USE_TRANSMISSION ) || NUM_SPOT_LIGHT_COORDS > 0
	vec4 worldPosition = vec4( transformed, 1.0 );
	#ifdef USE_BATCHING
		worldPosition = batchingMatrix * worldPosition;
	#endif
	#ifdef USE_INSTANCING
		worldPosition = instanceMatrix * worldPosition;
	#endif
	worldPosition = modelMatrix * worldPosition;
#endif`,Lv=`varying vec2 vUv;
uniform mat3 uvTransform;
void main() {
	vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	gl_Position = vec4( position.xy, 1.0, 1.0 );
}`,Nv=`uniform sampler2D t2D;
uniform float backgroundIntensity;
varying vec2 vUv;
void main() {
	vec4 texColor = texture2D( t2D, vUv );
	#ifdef DECODE_VIDEO_TEXTURE
		texColor = vec4( mix( pow( texColor.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), texColor.rgb * 0.0773993808, vec3( lessThanEqual( texColor.rgb, vec3( 0.04045 ) ) ) ), texColor.w );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Dv=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,Uv=`uniform float backgroundBlurriness;
uniform float backgroundIntensity;
uniform mat3 backgroundRotation;
varying vec3 vWorldDirection;
#include <envmap_common_pars_fragment>
void main() {
	#ifdef ENVMAP_TYPE_PMREM
		vec4 texColor = textureLod( envMap, backgroundRotation * vWorldDirection, roughnessToMip( backgroundBlurriness ) );
	#else
		vec4 texColor = textureCube( envMap, backgroundRotation * vWorldDirection );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Ov=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,Fv=`uniform samplerCube tCube;
uniform float tFlip;
uniform float opacity;
varying vec3 vWorldDirection;
void main() {
	vec4 texColor = textureCube( tCube, vec3( tFlip * vWorldDirection.x, vWorldDirection.yz ) );
	gl_FragColor = texColor;
	gl_FragColor.a *= opacity;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,kv=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
varying vec2 vHighPrecisionZW;
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vHighPrecisionZW = gl_Position.zw;
}`,Bv=`#if DEPTH_PACKING == 3200
	uniform float opacity;
#endif
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
varying vec2 vHighPrecisionZW;
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#if DEPTH_PACKING == 3200
		diffuseColor.a = opacity;
	#endif
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <logdepthbuf_fragment>
	#ifdef USE_REVERSED_DEPTH_BUFFER
		float fragCoordZ = vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ];
	#else
		float fragCoordZ = 0.5 * vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ] + 0.5;
	#endif
	#if DEPTH_PACKING == 3200
		gl_FragColor = vec4( vec3( 1.0 - fragCoordZ ), opacity );
	#elif DEPTH_PACKING == 3201
		gl_FragColor = packDepthToRGBA( fragCoordZ );
	#elif DEPTH_PACKING == 3202
		gl_FragColor = vec4( packDepthToRGB( fragCoordZ ), 1.0 );
	#elif DEPTH_PACKING == 3203
		gl_FragColor = vec4( packDepthToRG( fragCoordZ ), 0.0, 1.0 );
	#endif
}`,zv=`#define DISTANCE
varying vec3 vWorldPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <worldpos_vertex>
	#include <clipping_planes_vertex>
	vWorldPosition = worldPosition.xyz;
}`,Vv=`#define DISTANCE
uniform vec3 referencePosition;
uniform float nearDistance;
uniform float farDistance;
varying vec3 vWorldPosition;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	float dist = length( vWorldPosition - referencePosition );
	dist = ( dist - nearDistance ) / ( farDistance - nearDistance );
	dist = saturate( dist );
	gl_FragColor = vec4( dist, 0.0, 0.0, 1.0 );
}`,Hv=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
}`,Gv=`uniform sampler2D tEquirect;
varying vec3 vWorldDirection;
#include <common>
void main() {
	vec3 direction = normalize( vWorldDirection );
	vec2 sampleUV = equirectUv( direction );
	gl_FragColor = texture2D( tEquirect, sampleUV );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Wv=`uniform float scale;
attribute float lineDistance;
varying float vLineDistance;
#include <common>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	vLineDistance = scale * lineDistance;
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,Xv=`uniform vec3 diffuse;
uniform float opacity;
uniform float dashSize;
uniform float totalSize;
varying float vLineDistance;
#include <common>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	if ( mod( vLineDistance, totalSize ) > dashSize ) {
		discard;
	}
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,$v=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#if defined ( USE_ENVMAP ) || defined ( USE_SKINNING )
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinbase_vertex>
		#include <skinnormal_vertex>
		#include <defaultnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <fog_vertex>
}`,qv=`uniform vec3 diffuse;
uniform float opacity;
#ifndef FLAT_SHADED
	varying vec3 vNormal;
#endif
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		reflectedLight.indirectDiffuse += lightMapTexel.rgb * lightMapIntensity * RECIPROCAL_PI;
	#else
		reflectedLight.indirectDiffuse += vec3( 1.0 );
	#endif
	#include <aomap_fragment>
	reflectedLight.indirectDiffuse *= diffuseColor.rgb;
	vec3 outgoingLight = reflectedLight.indirectDiffuse;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Yv=`#define LAMBERT
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Zv=`#define LAMBERT
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_lambert_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_lambert_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Kv=`#define MATCAP
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <displacementmap_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
	vViewPosition = - mvPosition.xyz;
}`,Jv=`#define MATCAP
uniform vec3 diffuse;
uniform float opacity;
uniform sampler2D matcap;
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	vec3 viewDir = normalize( vViewPosition );
	vec3 x = normalize( vec3( viewDir.z, 0.0, - viewDir.x ) );
	vec3 y = cross( viewDir, x );
	vec2 uv = vec2( dot( x, normal ), dot( y, normal ) ) * 0.495 + 0.5;
	#ifdef USE_MATCAP
		vec4 matcapColor = texture2D( matcap, uv );
	#else
		vec4 matcapColor = vec4( vec3( mix( 0.2, 0.8, uv.y ) ), 1.0 );
	#endif
	vec3 outgoingLight = diffuseColor.rgb * matcapColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,jv=`#define NORMAL
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	vViewPosition = - mvPosition.xyz;
#endif
}`,Qv=`#define NORMAL
uniform float opacity;
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <uv_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 0.0, 0.0, 0.0, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	gl_FragColor = vec4( normalize( normal ) * 0.5 + 0.5, diffuseColor.a );
	#ifdef OPAQUE
		gl_FragColor.a = 1.0;
	#endif
}`,ty=`#define PHONG
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,ey=`#define PHONG
uniform vec3 diffuse;
uniform vec3 emissive;
uniform vec3 specular;
uniform float shininess;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_phong_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_phong_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + reflectedLight.directSpecular + reflectedLight.indirectSpecular + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,ny=`#define STANDARD
varying vec3 vViewPosition;
#ifdef USE_TRANSMISSION
	varying vec3 vWorldPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
#ifdef USE_TRANSMISSION
	vWorldPosition = worldPosition.xyz;
#endif
}`,iy=`#define STANDARD
#ifdef PHYSICAL
	#define IOR
	#define USE_SPECULAR
#endif
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float roughness;
uniform float metalness;
uniform float opacity;
#ifdef IOR
	uniform float ior;
#endif
#ifdef USE_SPECULAR
	uniform float specularIntensity;
	uniform vec3 specularColor;
	#ifdef USE_SPECULAR_COLORMAP
		uniform sampler2D specularColorMap;
	#endif
	#ifdef USE_SPECULAR_INTENSITYMAP
		uniform sampler2D specularIntensityMap;
	#endif
#endif
#ifdef USE_CLEARCOAT
	uniform float clearcoat;
	uniform float clearcoatRoughness;
#endif
#ifdef USE_DIFFUSE_ROUGHNESS
	uniform float diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		uniform sampler2D diffuseRoughnessMap;
	#endif
#endif
#ifdef USE_DISPERSION
	uniform float dispersion;
#endif
#ifdef USE_RETROREFLECTION
	uniform float retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	uniform float iridescence;
	uniform float iridescenceIOR;
	uniform float iridescenceThicknessMinimum;
	uniform float iridescenceThicknessMaximum;
#endif
#ifdef USE_SHEEN
	uniform vec3 sheenColor;
	uniform float sheenRoughness;
	#ifdef USE_SHEEN_COLORMAP
		uniform sampler2D sheenColorMap;
	#endif
	#ifdef USE_SHEEN_ROUGHNESSMAP
		uniform sampler2D sheenRoughnessMap;
	#endif
#endif
#ifdef USE_ANISOTROPY
	uniform vec2 anisotropyVector;
	#ifdef USE_ANISOTROPYMAP
		uniform sampler2D anisotropyMap;
	#endif
#endif
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <iridescence_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_physical_pars_fragment>
#include <transmission_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <clearcoat_pars_fragment>
#include <iridescence_pars_fragment>
#include <roughnessmap_pars_fragment>
#include <metalnessmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <roughnessmap_fragment>
	#include <metalnessmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <clearcoat_normal_fragment_begin>
	#include <clearcoat_normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_physical_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 totalDiffuse = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse;
	vec3 totalSpecular = reflectedLight.directSpecular + reflectedLight.indirectSpecular;
	#include <transmission_fragment>
	vec3 outgoingLight = totalDiffuse + totalSpecular + totalEmissiveRadiance;
	#ifdef USE_SHEEN
 
		outgoingLight = outgoingLight + sheenSpecularDirect + sheenSpecularIndirect;
 
 	#endif
	#ifdef USE_CLEARCOAT
		float dotNVcc = saturate( dot( geometryClearcoatNormal, geometryViewDir ) );
		vec3 Fcc = F_Schlick( material.clearcoatF0, material.clearcoatF90, dotNVcc );
		outgoingLight = outgoingLight * ( 1.0 - material.clearcoat * Fcc ) + ( clearcoatSpecularDirect + clearcoatSpecularIndirect ) * material.clearcoat;
	#endif
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,sy=`#define TOON
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,ry=`#define TOON
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <gradientmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_toon_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_toon_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,oy=`uniform float size;
uniform float scale;
#include <common>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
#ifdef USE_POINTS_UV
	varying vec2 vUv;
	uniform mat3 uvTransform;
#endif
void main() {
	#ifdef USE_POINTS_UV
		vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	#endif
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	gl_PointSize = size;
	#ifdef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) gl_PointSize *= ( scale / - mvPosition.z );
	#endif
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <fog_vertex>
}`,ay=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <color_pars_fragment>
#include <map_particle_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_particle_fragment>
	#include <color_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,ly=`#include <common>
#include <batching_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <shadowmap_pars_vertex>
void main() {
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,cy=`uniform vec3 color;
uniform float opacity;
#include <common>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <logdepthbuf_pars_fragment>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
void main() {
	#include <logdepthbuf_fragment>
	gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,hy=`uniform float rotation;
uniform vec2 center;
#include <common>
#include <uv_pars_vertex>
#include <fog_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	vec4 mvPosition = modelViewMatrix[ 3 ];
	vec2 scale = vec2( length( modelMatrix[ 0 ].xyz ), length( modelMatrix[ 1 ].xyz ) );
	#ifndef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) scale *= - mvPosition.z;
	#endif
	vec2 alignedPosition = ( position.xy - ( center - vec2( 0.5 ) ) ) * scale;
	vec2 rotatedPosition;
	rotatedPosition.x = cos( rotation ) * alignedPosition.x - sin( rotation ) * alignedPosition.y;
	rotatedPosition.y = sin( rotation ) * alignedPosition.x + cos( rotation ) * alignedPosition.y;
	mvPosition.xy += rotatedPosition;
	gl_Position = projectionMatrix * mvPosition;
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,uy=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`,$t={alphahash_fragment:N0,alphahash_pars_fragment:D0,alphamap_fragment:U0,alphamap_pars_fragment:O0,alphatest_fragment:F0,alphatest_pars_fragment:k0,aomap_fragment:B0,aomap_pars_fragment:z0,batching_pars_vertex:V0,batching_vertex:H0,begin_vertex:G0,beginnormal_vertex:W0,bsdfs:X0,iridescence_fragment:$0,bumpmap_pars_fragment:q0,clipping_planes_fragment:Y0,clipping_planes_pars_fragment:Z0,clipping_planes_pars_vertex:K0,clipping_planes_vertex:J0,color_fragment:j0,color_pars_fragment:Q0,color_pars_vertex:tx,color_vertex:ex,common:nx,defaultnormal_vertex:ix,displacementmap_pars_vertex:sx,displacementmap_vertex:rx,emissivemap_fragment:ox,emissivemap_pars_fragment:ax,colorspace_fragment:lx,colorspace_pars_fragment:cx,envmap_fragment:hx,envmap_common_pars_fragment:ux,envmap_pars_fragment:dx,envmap_pars_vertex:fx,envmap_physical_pars_fragment:wx,envmap_vertex:px,fog_vertex:mx,fog_pars_vertex:gx,fog_fragment:xx,fog_pars_fragment:vx,gradientmap_pars_fragment:yx,lightmap_pars_fragment:_x,lights_lambert_fragment:bx,lights_lambert_pars_fragment:Mx,lights_pars_begin:Sx,lights_toon_fragment:Tx,lights_toon_pars_fragment:Ex,lights_phong_fragment:Ax,lights_phong_pars_fragment:Cx,lights_physical_fragment:Rx,lights_physical_pars_fragment:Px,lights_fragment_begin:Ix,lights_fragment_maps:Lx,lights_fragment_end:Nx,lightprobes_pars_fragment:Dx,logdepthbuf_fragment:Ux,logdepthbuf_pars_fragment:Ox,logdepthbuf_pars_vertex:Fx,logdepthbuf_vertex:kx,map_fragment:Bx,map_pars_fragment:zx,map_particle_fragment:Vx,map_particle_pars_fragment:Hx,metalnessmap_fragment:Gx,metalnessmap_pars_fragment:Wx,morphinstance_vertex:Xx,morphcolor_vertex:$x,morphnormal_vertex:qx,morphtarget_pars_vertex:Yx,morphtarget_vertex:Zx,normal_fragment_begin:Kx,normal_fragment_maps:Jx,normal_pars_fragment:jx,normal_pars_vertex:Qx,normal_vertex:tv,normalmap_pars_fragment:ev,clearcoat_normal_fragment_begin:nv,clearcoat_normal_fragment_maps:iv,clearcoat_pars_fragment:sv,iridescence_pars_fragment:rv,opaque_fragment:ov,packing:av,premultiplied_alpha_fragment:lv,project_vertex:cv,dithering_fragment:hv,dithering_pars_fragment:uv,roughnessmap_fragment:dv,roughnessmap_pars_fragment:fv,shadowmap_pars_fragment:pv,shadowmap_pars_vertex:mv,shadowmap_vertex:gv,shadowmask_pars_fragment:xv,skinbase_vertex:vv,skinning_pars_vertex:yv,skinning_vertex:_v,skinnormal_vertex:bv,specularmap_fragment:Mv,specularmap_pars_fragment:Sv,tonemapping_fragment:wv,tonemapping_pars_fragment:Tv,transmission_fragment:Ev,transmission_pars_fragment:Av,uv_pars_fragment:Cv,uv_pars_vertex:Rv,uv_vertex:Pv,worldpos_vertex:Iv,background_vert:Lv,background_frag:Nv,backgroundCube_vert:Dv,backgroundCube_frag:Uv,cube_vert:Ov,cube_frag:Fv,depth_vert:kv,depth_frag:Bv,distance_vert:zv,distance_frag:Vv,equirect_vert:Hv,equirect_frag:Gv,linedashed_vert:Wv,linedashed_frag:Xv,meshbasic_vert:$v,meshbasic_frag:qv,meshlambert_vert:Yv,meshlambert_frag:Zv,meshmatcap_vert:Kv,meshmatcap_frag:Jv,meshnormal_vert:jv,meshnormal_frag:Qv,meshphong_vert:ty,meshphong_frag:ey,meshphysical_vert:ny,meshphysical_frag:iy,meshtoon_vert:sy,meshtoon_frag:ry,points_vert:oy,points_frag:ay,shadow_vert:ly,shadow_frag:cy,sprite_vert:hy,sprite_frag:uy},mt={common:{diffuse:{value:new Dt(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new Ft},alphaMap:{value:null},alphaMapTransform:{value:new Ft},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new Ft}},envmap:{envMap:{value:null},envMapRotation:{value:new Ft},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98},dfgLUT:{value:null}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new Ft}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new Ft}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new Ft},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new Ft},normalScale:{value:new Nt(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new Ft},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new Ft}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new Ft}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new Ft}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new Dt(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},sunLights:{value:[],properties:{direction:{},color:{}}},sunLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},sunShadowMatrix:{value:[]},sunShadowCascade:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null},probesSH:{value:[]},probesMin:{value:[]},probesMax:{value:[]},probesResolution:{value:[]}},points:{diffuse:{value:new Dt(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new Ft},alphaTest:{value:0},uvTransform:{value:new Ft}},sprite:{diffuse:{value:new Dt(16777215)},opacity:{value:1},center:{value:new Nt(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new Ft},alphaMap:{value:null},alphaMapTransform:{value:new Ft},alphaTest:{value:0}}},Wn={basic:{uniforms:Ge([mt.common,mt.specularmap,mt.envmap,mt.aomap,mt.lightmap,mt.fog]),vertexShader:$t.meshbasic_vert,fragmentShader:$t.meshbasic_frag},lambert:{uniforms:Ge([mt.common,mt.specularmap,mt.envmap,mt.aomap,mt.lightmap,mt.emissivemap,mt.bumpmap,mt.normalmap,mt.displacementmap,mt.fog,mt.lights,{emissive:{value:new Dt(0)},envMapIntensity:{value:1}}]),vertexShader:$t.meshlambert_vert,fragmentShader:$t.meshlambert_frag},phong:{uniforms:Ge([mt.common,mt.specularmap,mt.envmap,mt.aomap,mt.lightmap,mt.emissivemap,mt.bumpmap,mt.normalmap,mt.displacementmap,mt.fog,mt.lights,{emissive:{value:new Dt(0)},specular:{value:new Dt(1118481)},shininess:{value:30},envMapIntensity:{value:1}}]),vertexShader:$t.meshphong_vert,fragmentShader:$t.meshphong_frag},standard:{uniforms:Ge([mt.common,mt.envmap,mt.aomap,mt.lightmap,mt.emissivemap,mt.bumpmap,mt.normalmap,mt.displacementmap,mt.roughnessmap,mt.metalnessmap,mt.fog,mt.lights,{emissive:{value:new Dt(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:$t.meshphysical_vert,fragmentShader:$t.meshphysical_frag},toon:{uniforms:Ge([mt.common,mt.aomap,mt.lightmap,mt.emissivemap,mt.bumpmap,mt.normalmap,mt.displacementmap,mt.gradientmap,mt.fog,mt.lights,{emissive:{value:new Dt(0)}}]),vertexShader:$t.meshtoon_vert,fragmentShader:$t.meshtoon_frag},matcap:{uniforms:Ge([mt.common,mt.bumpmap,mt.normalmap,mt.displacementmap,mt.fog,{matcap:{value:null}}]),vertexShader:$t.meshmatcap_vert,fragmentShader:$t.meshmatcap_frag},points:{uniforms:Ge([mt.points,mt.fog]),vertexShader:$t.points_vert,fragmentShader:$t.points_frag},dashed:{uniforms:Ge([mt.common,mt.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:$t.linedashed_vert,fragmentShader:$t.linedashed_frag},depth:{uniforms:Ge([mt.common,mt.displacementmap]),vertexShader:$t.depth_vert,fragmentShader:$t.depth_frag},normal:{uniforms:Ge([mt.common,mt.bumpmap,mt.normalmap,mt.displacementmap,{opacity:{value:1}}]),vertexShader:$t.meshnormal_vert,fragmentShader:$t.meshnormal_frag},sprite:{uniforms:Ge([mt.sprite,mt.fog]),vertexShader:$t.sprite_vert,fragmentShader:$t.sprite_frag},background:{uniforms:{uvTransform:{value:new Ft},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:$t.background_vert,fragmentShader:$t.background_frag},backgroundCube:{uniforms:{envMap:{value:null},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new Ft}},vertexShader:$t.backgroundCube_vert,fragmentShader:$t.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:$t.cube_vert,fragmentShader:$t.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:$t.equirect_vert,fragmentShader:$t.equirect_frag},distance:{uniforms:Ge([mt.common,mt.displacementmap,{referencePosition:{value:new I},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:$t.distance_vert,fragmentShader:$t.distance_frag},shadow:{uniforms:Ge([mt.lights,mt.fog,{color:{value:new Dt(0)},opacity:{value:1}}]),vertexShader:$t.shadow_vert,fragmentShader:$t.shadow_frag}};Wn.physical={uniforms:Ge([Wn.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new Ft},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new Ft},clearcoatNormalScale:{value:new Nt(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new Ft},diffuseRoughness:{value:0},diffuseRoughnessMap:{value:null},diffuseRoughnessMapTransform:{value:new Ft},dispersion:{value:0},retroreflectivity:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new Ft},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new Ft},sheen:{value:0},sheenColor:{value:new Dt(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new Ft},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new Ft},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new Ft},transmissionSamplerSize:{value:new Nt},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new Ft},attenuationDistance:{value:0},attenuationColor:{value:new Dt(0)},specularColor:{value:new Dt(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new Ft},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new Ft},anisotropyVector:{value:new Nt},anisotropyMap:{value:null},anisotropyMapTransform:{value:new Ft}}]),vertexShader:$t.meshphysical_vert,fragmentShader:$t.meshphysical_frag};var Ll={r:0,b:0,g:0},dy=new Zt,Lp=new Ft;Lp.set(-1,0,0,0,1,0,0,0,1);function fy(i,t,e,n,s,r){let o=new Dt(0),a=s===!0?0:1,l,c,h=null,u=0,d=null;function f(b){let E=b.isScene===!0?b.background:null;if(E&&E.isTexture){let S=b.backgroundBlurriness>0;E=t.get(E,S)}return E}function g(b){let E=!1,S=f(b);S===null?m(o,a):S&&S.isColor&&(m(S,1),E=!0);let A=i.xr.getEnvironmentBlendMode();A==="additive"?e.buffers.color.setClear(0,0,0,1,r):A==="alpha-blend"&&e.buffers.color.setClear(0,0,0,0,r),(i.autoClear||E)&&(e.buffers.depth.setTest(!0),e.buffers.depth.setMask(!0),e.buffers.color.setMask(!0),i.clear(i.autoClearColor,i.autoClearDepth,i.autoClearStencil))}function y(b,E){let S=f(E);S&&S.isCubeTexture?(c===void 0&&(c=new Ke(new zn(1,1,1),new Vn({name:"BackgroundCubeMaterial",uniforms:os(Wn.backgroundCube.uniforms),vertexShader:Wn.backgroundCube.vertexShader,fragmentShader:Wn.backgroundCube.fragmentShader,side:Je,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),c.geometry.deleteAttribute("normal"),c.geometry.deleteAttribute("uv"),c.onBeforeRender=function(A,T,x){this.matrixWorld.copyPosition(x.matrixWorld)},Object.defineProperty(c.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),n.update(c)),c.material.uniforms.envMap.value=S,c.material.uniforms.backgroundBlurriness.value=E.backgroundBlurriness,c.material.uniforms.backgroundIntensity.value=E.backgroundIntensity,c.material.uniforms.backgroundRotation.value.setFromMatrix4(dy.makeRotationFromEuler(E.backgroundRotation)).transpose(),S.isRenderTargetTexture===!1&&c.material.uniforms.backgroundRotation.value.premultiply(Lp),c.material.toneMapped=Qt.getTransfer(S.colorSpace)!==se,(h!==S||u!==S.version||d!==i.toneMapping)&&(c.material.needsUpdate=!0,h=S,u=S.version,d=i.toneMapping),c.layers.enableAll(),b.unshift(c,c.geometry,c.material,0,0,null)):S&&S.isTexture&&(l===void 0&&(l=new Ke(new Qi(2,2),new Vn({name:"BackgroundMaterial",uniforms:os(Wn.background.uniforms),vertexShader:Wn.background.vertexShader,fragmentShader:Wn.background.fragmentShader,side:Ni,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),l.geometry.deleteAttribute("normal"),Object.defineProperty(l.material,"map",{get:function(){return this.uniforms.t2D.value}}),n.update(l)),l.material.uniforms.t2D.value=S,l.material.uniforms.backgroundIntensity.value=E.backgroundIntensity,l.material.toneMapped=Qt.getTransfer(S.colorSpace)!==se,S.matrixAutoUpdate===!0&&S.updateMatrix(),l.material.uniforms.uvTransform.value.copy(S.matrix),(h!==S||u!==S.version||d!==i.toneMapping)&&(l.material.needsUpdate=!0,h=S,u=S.version,d=i.toneMapping),l.layers.enableAll(),b.unshift(l,l.geometry,l.material,0,0,null))}function m(b,E){b.getRGB(Ll,Bh(i)),e.buffers.color.setClear(Ll.r,Ll.g,Ll.b,E,r)}function p(){c!==void 0&&(c.geometry.dispose(),c.material.dispose(),c=void 0),l!==void 0&&(l.geometry.dispose(),l.material.dispose(),l=void 0)}return{getClearColor:function(){return o},setClearColor:function(b,E=1){o.set(b),a=E,m(o,a)},getClearAlpha:function(){return a},setClearAlpha:function(b){a=b,m(o,a)},render:g,addToRenderList:y,dispose:p}}function py(i,t){let e=i.getParameter(i.MAX_VERTEX_ATTRIBS),n={},s=d(null),r=s,o=!1;function a(O,F,H,L,W){let q=!1,G=u(O,L,H,F);r!==G&&(r=G,c(r.object)),q=f(O,L,H,W),q&&g(O,L,H,W),W!==null&&t.update(W,i.ELEMENT_ARRAY_BUFFER),(q||o)&&(o=!1,S(O,F,H,L),W!==null&&i.bindBuffer(i.ELEMENT_ARRAY_BUFFER,t.get(W).buffer))}function l(){return i.createVertexArray()}function c(O){return i.bindVertexArray(O)}function h(O){return i.deleteVertexArray(O)}function u(O,F,H,L){let W=L.wireframe===!0,q=n[F.id];q===void 0&&(q={},n[F.id]=q);let G=O.isInstancedMesh===!0?O.id:0,it=q[G];it===void 0&&(it={},q[G]=it);let $=it[H.id];$===void 0&&($={},it[H.id]=$);let Q=$[W];return Q===void 0&&(Q=d(l()),$[W]=Q),Q}function d(O){let F=[],H=[],L=[];for(let W=0;W<e;W++)F[W]=0,H[W]=0,L[W]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:F,enabledAttributes:H,attributeDivisors:L,object:O,attributes:{},index:null}}function f(O,F,H,L){let W=r.attributes,q=F.attributes,G=0,it=H.getAttributes();for(let $ in it)if(it[$].location>=0){let et=W[$],St=q[$];if(St===void 0&&($==="instanceMatrix"&&O.instanceMatrix&&(St=O.instanceMatrix),$==="instanceColor"&&O.instanceColor&&(St=O.instanceColor)),et===void 0||et.attribute!==St||St&&et.data!==St.data)return!0;G++}return r.attributesNum!==G||r.index!==L}function g(O,F,H,L){let W={},q=F.attributes,G=0,it=H.getAttributes();for(let $ in it)if(it[$].location>=0){let et=q[$];et===void 0&&($==="instanceMatrix"&&O.instanceMatrix&&(et=O.instanceMatrix),$==="instanceColor"&&O.instanceColor&&(et=O.instanceColor));let St={};St.attribute=et,et&&et.data&&(St.data=et.data),W[$]=St,G++}r.attributes=W,r.attributesNum=G,r.index=L}function y(){let O=r.newAttributes;for(let F=0,H=O.length;F<H;F++)O[F]=0}function m(O){p(O,0)}function p(O,F){let H=r.newAttributes,L=r.enabledAttributes,W=r.attributeDivisors;H[O]=1,L[O]===0&&(i.enableVertexAttribArray(O),L[O]=1),W[O]!==F&&(i.vertexAttribDivisor(O,F),W[O]=F)}function b(){let O=r.newAttributes,F=r.enabledAttributes;for(let H=0,L=F.length;H<L;H++)F[H]!==O[H]&&(i.disableVertexAttribArray(H),F[H]=0)}function E(O,F,H,L,W,q,G){G===!0?i.vertexAttribIPointer(O,F,H,W,q):i.vertexAttribPointer(O,F,H,L,W,q)}function S(O,F,H,L){y();let W=L.attributes,q=H.getAttributes(),G=F.defaultAttributeValues;for(let it in q){let $=q[it];if($.location>=0){let Q=W[it];if(Q===void 0&&(it==="instanceMatrix"&&O.instanceMatrix&&(Q=O.instanceMatrix),it==="instanceColor"&&O.instanceColor&&(Q=O.instanceColor)),Q!==void 0){let et=Q.normalized,St=Q.itemSize,Bt=t.get(Q);if(Bt===void 0)continue;let K=Bt.buffer,gt=Bt.type,_t=Bt.bytesPerElement,Rt=gt===i.INT||gt===i.UNSIGNED_INT||Q.gpuType===Za;if(Q.isInterleavedBufferAttribute){let xt=Q.data,Ht=xt.isInterleavedBuffer===!0?xt.stride:xt.itemSize,_e=Q.offset;if(xt.isInstancedInterleavedBuffer||xt.isInstancedBufferAttribute){for(let It=0;It<$.locationSize;It++)p($.location+It,xt.meshPerAttribute);O.isInstancedMesh!==!0&&L._maxInstanceCount===void 0&&(L._maxInstanceCount=xt.meshPerAttribute*xt.count)}else for(let It=0;It<$.locationSize;It++)m($.location+It);i.bindBuffer(i.ARRAY_BUFFER,K);for(let It=0;It<$.locationSize;It++)E($.location+It,St/$.locationSize,gt,et,Ht*_t,(_e+St/$.locationSize*It)*_t,Rt)}else{if(Q.isInstancedBufferAttribute){for(let xt=0;xt<$.locationSize;xt++)p($.location+xt,Q.meshPerAttribute);O.isInstancedMesh!==!0&&L._maxInstanceCount===void 0&&(L._maxInstanceCount=Q.meshPerAttribute*Q.count)}else for(let xt=0;xt<$.locationSize;xt++)m($.location+xt);i.bindBuffer(i.ARRAY_BUFFER,K);for(let xt=0;xt<$.locationSize;xt++)E($.location+xt,St/$.locationSize,gt,et,St*_t,St/$.locationSize*xt*_t,Rt)}}else if(G!==void 0){let et=G[it];if(et!==void 0)switch(et.length){case 2:i.vertexAttrib2fv($.location,et);break;case 3:i.vertexAttrib3fv($.location,et);break;case 4:i.vertexAttrib4fv($.location,et);break;default:i.vertexAttrib1fv($.location,et)}}}}b()}function A(){U();for(let O in n){let F=n[O];for(let H in F){let L=F[H];for(let W in L){let q=L[W];for(let G in q)h(q[G].object),delete q[G];delete L[W]}}delete n[O]}}function T(O){if(n[O.id]===void 0)return;let F=n[O.id];for(let H in F){let L=F[H];for(let W in L){let q=L[W];for(let G in q)h(q[G].object),delete q[G];delete L[W]}}delete n[O.id]}function x(O){for(let F in n){let H=n[F];for(let L in H){let W=H[L];if(W[O.id]===void 0)continue;let q=W[O.id];for(let G in q)h(q[G].object),delete q[G];delete W[O.id]}}}function M(O){for(let F in n){let H=n[F],L=O.isInstancedMesh===!0?O.id:0,W=H[L];if(W!==void 0){for(let q in W){let G=W[q];for(let it in G)h(G[it].object),delete G[it];delete W[q]}delete H[L],Object.keys(H).length===0&&delete n[F]}}}function U(){P(),o=!0,r!==s&&(r=s,c(r.object))}function P(){s.geometry=null,s.program=null,s.wireframe=!1}return{setup:a,reset:U,resetDefaultState:P,dispose:A,releaseStatesOfGeometry:T,releaseStatesOfObject:M,releaseStatesOfProgram:x,initAttributes:y,enableAttribute:m,disableUnusedAttributes:b}}function my(i,t,e){let n;function s(l){n=l}function r(l,c){i.drawArrays(n,l,c),e.update(c,n,1)}function o(l,c,h){h!==0&&(i.drawArraysInstanced(n,l,c,h),e.update(c,n,h))}function a(l,c,h){if(h===0)return;t.get("WEBGL_multi_draw").multiDrawArraysWEBGL(n,l,0,c,0,h);let d=0;for(let f=0;f<h;f++)d+=c[f];e.update(d,n,1)}this.setMode=s,this.render=r,this.renderInstances=o,this.renderMultiDraw=a}function gy(i,t,e,n){let s;function r(){if(s!==void 0)return s;if(t.has("EXT_texture_filter_anisotropic")===!0){let x=t.get("EXT_texture_filter_anisotropic");s=i.getParameter(x.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else s=0;return s}function o(x){return!(x!==Nn&&n.convert(x)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_FORMAT))}function a(x){let M=x===Ln&&(t.has("EXT_color_buffer_half_float")||t.has("EXT_color_buffer_float"));return!(x!==tn&&x!==_n&&!M&&n.convert(x)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_TYPE))}function l(x){if(x==="highp"){if(i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.HIGH_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.HIGH_FLOAT).precision>0)return"highp";x="mediump"}return x==="mediump"&&i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.MEDIUM_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.MEDIUM_FLOAT).precision>0?"mediump":"lowp"}let c=e.precision!==void 0?e.precision:"highp",h=l(c);h!==c&&(Ct("WebGLRenderer:",c,"not supported, using",h,"instead."),c=h);let u=e.reversedDepthBuffer===!0&&t.has("EXT_clip_control"),d=e.logarithmicDepthBuffer===!0&&u===!1;e.reversedDepthBuffer===!0&&u===!1&&Ct("WebGLRenderer: Unable to use reversed depth buffer due to missing EXT_clip_control extension. Fallback to default depth buffer."),e.logarithmicDepthBuffer===!0&&u===!0&&Ct("WebGLRenderer: Logarithmic depth buffer is ignored when reversed depth buffer is enabled.");let f=i.getParameter(i.MAX_TEXTURE_IMAGE_UNITS),g=i.getParameter(i.MAX_VERTEX_TEXTURE_IMAGE_UNITS),y=i.getParameter(i.MAX_TEXTURE_SIZE),m=i.getParameter(i.MAX_CUBE_MAP_TEXTURE_SIZE),p=i.getParameter(i.MAX_VERTEX_ATTRIBS),b=i.getParameter(i.MAX_VERTEX_UNIFORM_VECTORS),E=i.getParameter(i.MAX_VARYING_VECTORS),S=i.getParameter(i.MAX_FRAGMENT_UNIFORM_VECTORS),A=i.getParameter(i.MAX_SAMPLES),T=i.getParameter(i.SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:r,getMaxPrecision:l,textureFormatReadable:o,textureTypeReadable:a,precision:c,logarithmicDepthBuffer:d,reversedDepthBuffer:u,maxTextures:f,maxVertexTextures:g,maxTextureSize:y,maxCubemapSize:m,maxAttributes:p,maxVertexUniforms:b,maxVaryings:E,maxFragmentUniforms:S,maxSamples:A,samples:T}}function xy(i){let t=this,e=null,n=0,s=!1,r=!1,o=new an,a=new Ft,l={value:null,needsUpdate:!1};this.uniform=l,this.numPlanes=0,this.numIntersection=0,this.init=function(u,d){let f=u.length!==0||d||n!==0||s;return s=d,n=u.length,f},this.beginShadows=function(){r=!0,h(null)},this.endShadows=function(){r=!1},this.setGlobalState=function(u,d){e=h(u,d,0)},this.setState=function(u,d,f){let g=u.clippingPlanes,y=u.clipIntersection,m=u.clipShadows,p=i.get(u);if(!s||g===null||g.length===0||r&&!m)r?h(null):c();else{let b=r?0:n,E=b*4,S=p.clippingState||null;l.value=S,S=h(g,d,E,f);for(let A=0;A!==E;++A)S[A]=e[A];p.clippingState=S,this.numIntersection=y?this.numPlanes:0,this.numPlanes+=b}};function c(){l.value!==e&&(l.value=e,l.needsUpdate=n>0),t.numPlanes=n,t.numIntersection=0}function h(u,d,f,g){let y=u!==null?u.length:0,m=null;if(y!==0){if(m=l.value,g!==!0||m===null){let p=f+y*4,b=d.matrixWorldInverse;a.getNormalMatrix(b),(m===null||m.length<p)&&(m=new Float32Array(p));for(let E=0,S=f;E!==y;++E,S+=4)o.copy(u[E]).applyMatrix4(b,a),o.normal.toArray(m,S),m[S+3]=o.constant}l.value=m,l.needsUpdate=!0}return t.numPlanes=y,t.numIntersection=0,m}}var Yr=class extends ln{constructor(t=1,e={}){super(t,t,e),this.isWebGLCubeRenderTarget=!0;let n={width:t,height:t,depth:1},s=[n,n,n,n,n,n];this.texture=new Mr(s),this._setTextureOptions(e),this.texture.isRenderTargetTexture=!0}fromEquirectangularTexture(t,e){this.texture.type=e.type,this.texture.colorSpace=e.colorSpace,this.texture.generateMipmaps=e.generateMipmaps,this.texture.minFilter=e.minFilter,this.texture.magFilter=e.magFilter;let n={uniforms:{tEquirect:{value:null}},vertexShader:`

				varying vec3 vWorldDirection;

				vec3 transformDirection( in vec3 dir, in mat4 matrix ) {

					return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );

				}

				void main() {

					vWorldDirection = transformDirection( position, modelMatrix );

					#include <begin_vertex>
					#include <project_vertex>

				}
			`,fragmentShader:`

				uniform sampler2D tEquirect;

				varying vec3 vWorldDirection;

				#include <common>

				void main() {

					vec3 direction = normalize( vWorldDirection );

					vec2 sampleUV = equirectUv( direction );

					gl_FragColor = texture2D( tEquirect, sampleUV );

				}
			`},s=new zn(5,5,5),r=new Vn({name:"CubemapFromEquirect",uniforms:os(n.uniforms),vertexShader:n.vertexShader,fragmentShader:n.fragmentShader,side:Je,blending:ns});r.uniforms.tEquirect.value=e;let o=new Ke(s,r),a=e.minFilter;return e.minFilter===hi&&(e.minFilter=Ye),new Hs(1,10,this).update(t,o),e.minFilter=a,o.geometry.dispose(),o.material.dispose(),this}clear(t,e=!0,n=!0,s=!0){let r=t.getRenderTarget();for(let o=0;o<6;o++)t.setRenderTarget(this,o),t.clear(e,n,s);t.setRenderTarget(r)}},hp=256,vy=3,yy=20,Np=256,Dp=16,_y=3,by=new I,My=new Dt,Dl=class i{constructor(t){this._renderer=t,this._cubeSize=0,this._sourceTarget=null,this._cubeCamera=new Hs(1,10,null),this._boxMesh=new Ke(new zn(5,5,5),null),this._cubemapMaterial=null,this._equirectMaterial=null,this._blurMaterial=null,this._ggxMaterial=null,this._integrationMaterial=null}fromScene(t,e=0,n=.1,s=100,r={}){let{size:o=256,position:a=by}=r,l=this._renderer;this._setSize(o);let c=this._allocateTarget(),h=this._getSourceTarget(!0);e>0&&(h.texture.mipmapsAutoUpdate=!1);let u=l.autoClear,d=l.autoClearColor,f=l.autoClearDepth,g=l.autoClearStencil,y=t.background;l.autoClear=!0,l.autoClearColor=!0,l.autoClearDepth=!0,l.autoClearStencil=!0,y===null&&(t.background=l.getClearColor(My));let m=new Hs(n,s,h);return m.position.copy(a),m.update(l,t),l.autoClear=u,l.autoClearColor=d,l.autoClearDepth=f,l.autoClearStencil=g,t.background=y,e>0&&(h.texture.mipmapsAutoUpdate=!0,this._blur(c,e)),this._applyPMREM(c),c}fromEquirectangular(t,e=null){return this._fromTexture(t,e)}fromCubemap(t,e=null){return this._fromTexture(t,e)}compileCubemapShader(){this._cubemapMaterial===null&&(this._cubemapMaterial=fp(),this._compileMaterial(this._cubemapMaterial))}compileEquirectangularShader(){this._equirectMaterial===null&&(this._equirectMaterial=dp(),this._compileMaterial(this._equirectMaterial))}dispose(){this._sourceTarget!==null&&this._sourceTarget.dispose(),this._cubemapMaterial!==null&&this._cubemapMaterial.dispose(),this._equirectMaterial!==null&&this._equirectMaterial.dispose(),this._blurMaterial!==null&&this._blurMaterial.dispose(),this._ggxMaterial!==null&&this._ggxMaterial.dispose(),this._integrationMaterial!==null&&this._integrationMaterial.dispose(),this._boxMesh.geometry.dispose()}static lodToRoughness(t,e){return e>0?1-Math.sqrt(1-t/e):0}_setSize(t){this._cubeSize=Math.max(hp,Oh(t))}_fromTexture(t,e){t.mapping===ss||t.mapping===Xs?this._setSize(t.image.length===0?hp:t.image[0].width||t.image[0].image.width):this._setSize(t.image.width/4);let n=e||this._allocateTarget();return this._textureToCubemap(t),this._applyPMREM(n),n}_allocateTarget(){let t=this._cubeSize,e=up(t,!1,!1),n=Math.log2(t)-vy;for(let s=0;s<=n;s++)e.texture.mipmaps.push({width:t>>s,height:t>>s});return e.texture.name="PMREM",e.texture.isPMREMTexture=!0,e}_getSourceTarget(t=!1){let e=this._cubeSize,n=this._sourceTarget;return(n===null||n.width!==e||t&&n.depthBuffer===!1)&&(n!==null&&n.dispose(),this._sourceTarget=up(e,!0,t)),this._sourceTarget}_compileMaterial(t){this._boxMesh.material=t,this._renderer.compile(this._boxMesh,this._cubeCamera.children[0])}_renderCube(t,e,n){let s=this._boxMesh,r=this._cubeCamera;s.material=n,r.renderTarget=t,r.activeMipmapLevel=e;let o=t.width>>e;t.viewport.set(0,0,o,o),r.update(this._renderer,s),t.viewport.set(0,0,t.width,t.height)}_textureToCubemap(t){let e;t.mapping===ss||t.mapping===Xs?(this._cubemapMaterial===null&&(this._cubemapMaterial=fp()),e=this._cubemapMaterial,e.uniforms.flipEnvMap.value=t.isRenderTargetTexture===!1?-1:1):(this._equirectMaterial===null&&(this._equirectMaterial=dp()),e=this._equirectMaterial),e.uniforms.envMap.value=t,this._renderCube(this._getSourceTarget(),0,e)}_applyPMREM(t){this._ggxMaterial===null&&(this._ggxMaterial=Sy(),this._integrationMaterial=wy());let e=this._cubeSize,n=t.texture.mipmaps.length-1,s=this._ggxMaterial.uniforms;s.envMap.value=this._sourceTarget.texture;let r=this._integrationMaterial.uniforms;r.envMap.value=this._sourceTarget.texture,r.sourceLod.value=Math.log2(e/Dp);for(let o=0;o<=n;o++){let a=i.lodToRoughness(o,n);if(o>n-_y)r.roughness.value=a,this._renderCube(t,o,this._integrationMaterial);else{let l=a>0?Math.log2(e)+.5*Math.log2(6/(Np*Math.pow(a,4)))+.5:0;s.roughness.value=a,s.lodBias.value=l,this._renderCube(t,o,this._ggxMaterial)}}}_blur(t,e){this._blurMaterial===null&&(this._blurMaterial=Ty());let n=this._blurMaterial,s=n.uniforms,r=this._sourceTarget;s.sigma.value=Math.min(e,Math.PI)/Math.SQRT2,s.envMap.value=r.texture,this._renderCube(t,0,n),s.envMap.value=t.texture,this._renderCube(r,0,n)}};function up(i,t,e){return new Yr(i,{minFilter:hi,generateMipmaps:t,type:Ln,colorSpace:dr,depthBuffer:e})}function Zr(i,t,e){return new Vn({name:i,uniforms:t,vertexShader:$t.cube_vert,fragmentShader:e,side:Je,blending:ns,depthTest:!1,depthWrite:!1})}function Sy(){return Zr("PMREMGGXConvolution",{envMap:{value:null},roughness:{value:0},lodBias:{value:0}},`

		#define GGX_SAMPLES ${Np}u

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float lodBias;

		#include <common>

		// Van der Corput radical inverse
		float radicalInverse_VdC( uint bits ) {

			bits = ( bits << 16u ) | ( bits >> 16u );
			bits = ( ( bits & 0x55555555u ) << 1u ) | ( ( bits & 0xAAAAAAAAu ) >> 1u );
			bits = ( ( bits & 0x33333333u ) << 2u ) | ( ( bits & 0xCCCCCCCCu ) >> 2u );
			bits = ( ( bits & 0x0F0F0F0Fu ) << 4u ) | ( ( bits & 0xF0F0F0F0u ) >> 4u );
			bits = ( ( bits & 0x00FF00FFu ) << 8u ) | ( ( bits & 0xFF00FF00u ) >> 8u );
			return float( bits ) * 2.3283064365386963e-10; // / 0x100000000

		}

		// Hammersley sequence
		vec2 hammersley( uint i, uint N ) {

			return vec2( float( i ) / float( N ), radicalInverse_VdC( i ) );

		}

		void main() {

			vec3 N = normalize( vWorldDirection );

			// For very low roughness, just sample the environment directly
			if ( roughness < 0.001 ) {

				gl_FragColor = vec4( textureLod( envMap, N, 0.0 ).rgb, 1.0 );
				return;

			}

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			// Tangent space basis for VNDF sampling
			vec3 up = abs( N.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, N ) );
			vec3 bitangent = cross( N, tangent );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			for ( uint i = 0u; i < GGX_SAMPLES; i ++ ) {

				vec2 Xi = hammersley( i, GGX_SAMPLES );

				// With V = N, sample the reflected direction directly.
				float invQ = 1.0 / ( 1.0 - Xi.x + alpha2 * Xi.x );
				float NdotL = ( 1.0 - Xi.x - alpha2 * Xi.x ) * invQ;

				if ( NdotL > 0.0 ) {

					float phi = 2.0 * PI * Xi.y;
					float sinTheta = 2.0 * alpha * sqrt( Xi.x * ( 1.0 - Xi.x ) ) * invQ;
					vec3 L = N * NdotL + ( tangent * cos( phi ) + bitangent * sin( phi ) ) * sinTheta;

					// Match the source mip to the sample's solid angle. The terms
					// independent of the sample are precomputed in lodBias.
					float d = alpha2 * invQ;
					float lod = max( log2( d ) + lodBias, 0.0 );

					// Weight by NdotL for the split-sum approximation
					prefilteredColor += textureLod( envMap, L, lod ).rgb * NdotL;
					totalWeight += NdotL;

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function wy(){return Zr("PMREMGGXIntegration",{envMap:{value:null},roughness:{value:0},sourceLod:{value:0},sourceSize:{value:Dp}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float sourceLod;
		uniform int sourceSize;

		void main() {

			vec3 N = normalize( vWorldDirection );

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			float texelSize = 2.0 / float( sourceSize );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			// Pair opposite texels: only the one in N's hemisphere contributes.
			for ( int face = 0; face < 3; face ++ ) {

				for ( int y = 0; y < sourceSize; y ++ ) {

					for ( int x = 0; x < sourceSize; x ++ ) {

						vec2 uv = ( vec2( x, y ) + 0.5 ) * texelSize - 1.0;
						vec3 texelDirection = face == 0 ? vec3( 1.0, uv ) : ( face == 1 ? vec3( uv.x, 1.0, uv.y ) : vec3( uv, 1.0 ) );

						float invDistance = inversesqrt( 1.0 + dot( uv, uv ) );
						float NdotL = dot( N, texelDirection );
						texelDirection *= NdotL < 0.0 ? - 1.0 : 1.0;
						NdotL = abs( NdotL ) * invDistance;

						// With V = N, NdotH squared is ( 1 + NdotL ) / 2. Common factors
						// in the GGX distribution and texel solid angle cancel when normalized.
						float d = 1.0 + alpha2 + ( alpha2 - 1.0 ) * NdotL;
						float weight = NdotL * invDistance * invDistance * invDistance / ( d * d );

						prefilteredColor += textureLod( envMap, texelDirection, sourceLod ).rgb * weight;
						totalWeight += weight;

					}

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function Ty(){return Zr("PMREMSphericalGaussianBlur",{envMap:{value:null},sigma:{value:0}},`

		#define SAMPLES ${yy}
		#define GOLDEN_ANGLE 2.39996322973

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float sigma;

		#include <common>

		void main() {

			vec3 outputDirection = normalize( vWorldDirection );

			vec3 up = abs( outputDirection.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, outputDirection ) );
			vec3 bitangent = cross( outputDirection, tangent );

			// Truncate the kernel at three standard deviations or at the antipode.
			float thetaMax = min( 3.0 * sigma, PI );
			float truncation = 1.0 - exp( - 0.5 * thetaMax * thetaMax / ( sigma * sigma ) );

			vec3 accumColor = vec3( 0.0 );
			float accumWeight = 0.0;

			for ( int i = 0; i < SAMPLES; i ++ ) {

				// Stratified inverse-CDF sampling of the Gaussian, placed on a golden-angle spiral.
				float stratum = ( float( i ) + 0.5 ) / float( SAMPLES );
				float theta = sigma * sqrt( - 2.0 * log( 1.0 - stratum * truncation ) );
				float phi = float( i ) * GOLDEN_ANGLE;

				vec3 offset = cos( phi ) * tangent + sin( phi ) * bitangent;
				vec3 sampleDirection = cos( theta ) * outputDirection + sin( theta ) * offset;

				// Correct the planar sample density to solid angle.
				float weight = sin( theta ) / theta;

				accumColor += weight * textureLod( envMap, sampleDirection, 0.0 ).rgb;
				accumWeight += weight;

			}

			gl_FragColor = vec4( accumColor / accumWeight, 1.0 );

		}
	`)}function dp(){return Zr("PMREMEquirectangularToCubemap",{envMap:{value:null}},`

		varying vec3 vWorldDirection;

		uniform sampler2D envMap;

		#include <common>

		void main() {

			// Average four subpixel samples to preserve small, bright features.
			vec3 direction = normalize( vWorldDirection );
			vec3 dx = dFdx( direction ) * 0.25;
			vec3 dy = dFdy( direction ) * 0.25;

			vec3 color = textureLod( envMap, equirectUv( normalize( direction - dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction - dx + dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx + dy ) ), 0.0 ).rgb;
			gl_FragColor = vec4( color * 0.25, 1.0 );

		}
	`)}function fp(){return Zr("PMREMCubemapToCubemap",{envMap:{value:null},flipEnvMap:{value:-1}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float flipEnvMap;

		void main() {

			gl_FragColor = vec4( textureCube( envMap, vec3( flipEnvMap * vWorldDirection.x, vWorldDirection.yz ) ).rgb, 1.0 );

		}
	`)}function Ey(i){let t=new WeakMap,e=new WeakMap,n=null;function s(d,f=!1){return d==null?null:f?o(d):r(d)}function r(d){if(d&&d.isTexture){let f=d.mapping;if(f===$a||f===qa)if(t.has(d)){let g=t.get(d).texture;return a(g,d.mapping)}else{let g=d.image;if(g&&g.height>0){let y=new Yr(g.height);return y.fromEquirectangularTexture(i,d),t.set(d,y),d.addEventListener("dispose",c),a(y.texture,d.mapping)}else return null}}return d}function o(d){if(d&&d.isTexture&&d.isPMREMTexture!==!0){let f=d.mapping,g=f===$a||f===qa,y=f===ss||f===Xs;if(g||y){let m=e.get(d),p=m!==void 0?m.texture.pmremVersion:0;if(d.isRenderTargetTexture&&d.pmremVersion!==p)return n===null&&(n=new Dl(i)),m=g?n.fromEquirectangular(d,m):n.fromCubemap(d,m),m.texture.pmremVersion=d.pmremVersion,e.set(d,m),m.texture;if(m!==void 0)return m.texture;{let b=d.image;return g&&b&&b.height>0||y&&b&&l(b)?(n===null&&(n=new Dl(i)),m=g?n.fromEquirectangular(d):n.fromCubemap(d),m.texture.pmremVersion=d.pmremVersion,e.set(d,m),d.addEventListener("dispose",h),m.texture):null}}}return d}function a(d,f){return f===$a?d.mapping=ss:f===qa&&(d.mapping=Xs),d}function l(d){let f=0,g=6;for(let y=0;y<g;y++)d[y]!==void 0&&f++;return f===g}function c(d){let f=d.target;f.removeEventListener("dispose",c);let g=t.get(f);g!==void 0&&(t.delete(f),g.dispose())}function h(d){let f=d.target;f.removeEventListener("dispose",h);let g=e.get(f);g!==void 0&&(e.delete(f),g.dispose())}function u(){t=new WeakMap,e=new WeakMap,n!==null&&(n.dispose(),n=null)}return{get:s,dispose:u}}function Ay(i){let t={};function e(n){if(t[n]!==void 0)return t[n];let s=i.getExtension(n);return t[n]=s,s}return{has:function(n){return e(n)!==null},init:function(){e("EXT_color_buffer_float"),e("WEBGL_clip_cull_distance"),e("OES_texture_float_linear"),e("EXT_color_buffer_half_float"),e("WEBGL_multisampled_render_to_texture"),e("WEBGL_render_shared_exponent")},get:function(n){let s=e(n);return s===null&&lr("WebGLRenderer: "+n+" extension not supported."),s}}}function Cy(i,t,e,n){let s={},r=new WeakMap,o=new FinalizationRegistry(g=>delete s[g]);function a(g){l(g.target)}function l(g){g.index!==null&&t.remove(g.index);for(let m in g.attributes)t.remove(g.attributes[m]);g.removeEventListener("dispose",a),delete s[g.id],o.unregister(g);let y=r.get(g);y&&(t.remove(y),r.delete(g)),n.releaseStatesOfGeometry(g),g.isInstancedBufferGeometry===!0&&delete g._maxInstanceCount,e.memory.geometries--}function c(g,y){return s[y.id]!==void 0||(y.addEventListener("dispose",a),s[y.id]=new WeakRef(y),o.register(y,y.id,y),e.memory.geometries++),y}function h(g){let y=g.attributes;for(let m in y)t.update(y[m],i.ARRAY_BUFFER)}function u(g){let y=g.index,m=g.attributes.position,p=0;if(m===void 0)return;let b=y!==null?y.array.length:m.array.length/3-1,E=m.count>=65535?yr:vr,S=new E(Math.ceil(b/3)*6,1),A=S.array;if(y!==null){let x=y.array;p=y.version;for(let M=0,U=0;M<b;M+=3){let P=x[M+0],O=x[M+1],F=x[M+2];A[U++]=P,A[U++]=O,A[U++]=O,A[U++]=F,A[U++]=F,A[U++]=P}}else{p=m.version;for(let x=0,M=0;x<b;x+=3){let U=x+0,P=x+1,O=x+2;A[M++]=U,A[M++]=P,A[M++]=P,A[M++]=O,A[M++]=O,A[M++]=U}}S.version=p;let T=r.get(g);T&&t.remove(T),r.set(g,S)}function d(g){let y=r.get(g);if(y){let m=g.index;m!==null&&y.version<m.version&&u(g)}else u(g);return r.get(g)}function f(){for(let g in s){let y=s[g].deref();y!==void 0&&l(y)}}return{get:c,update:h,getWireframeAttribute:d,dispose:f}}function Ry(i,t,e){let n;function s(u){n=u}let r,o;function a(u){r=u.type,o=u.bytesPerElement}function l(u,d){i.drawElements(n,d,r,u*o),e.update(d,n,1)}function c(u,d,f){f!==0&&(i.drawElementsInstanced(n,d,r,u*o,f),e.update(d,n,f))}function h(u,d,f){if(f===0)return;t.get("WEBGL_multi_draw").multiDrawElementsWEBGL(n,d,0,r,u,0,f);let y=0;for(let m=0;m<f;m++)y+=d[m];e.update(y,n,1)}this.setMode=s,this.setIndex=a,this.render=l,this.renderInstances=c,this.renderMultiDraw=h}function Py(i){let t={geometries:0,textures:0},e={frame:0,calls:0,triangles:0,points:0,lines:0};function n(r,o,a){switch(e.calls++,o){case i.TRIANGLES:e.triangles+=a*(r/3);break;case i.LINES:e.lines+=a*(r/2);break;case i.LINE_STRIP:e.lines+=a*(r-1);break;case i.LINE_LOOP:e.lines+=a*r;break;case i.POINTS:e.points+=a*r;break;default:Ut("WebGLInfo: Unknown draw mode:",o);break}}function s(){e.calls=0,e.triangles=0,e.points=0,e.lines=0}return{memory:t,render:e,programs:null,autoReset:!0,reset:s,update:n}}function Iy(i,t,e){let n=new WeakMap,s=new me;function r(o,a,l){let c=o.morphTargetInfluences,h=a.morphAttributes.position||a.morphAttributes.normal||a.morphAttributes.color,u=h!==void 0?h.length:0,d=n.get(a);if(d===void 0||d.count!==u){let U=function(){x.dispose(),n.delete(a),a.removeEventListener("dispose",U)};d!==void 0&&d.texture.dispose();let f=a.morphAttributes.position!==void 0,g=a.morphAttributes.normal!==void 0,y=a.morphAttributes.color!==void 0,m=a.morphAttributes.position||[],p=a.morphAttributes.normal||[],b=a.morphAttributes.color||[],E=0;f===!0&&(E=1),g===!0&&(E=2),y===!0&&(E=3);let S=a.attributes.position.count*E,A=1;S>t.maxTextureSize&&(A=Math.ceil(S/t.maxTextureSize),S=t.maxTextureSize);let T=new Float32Array(S*A*4*u),x=new mr(T,S,A,u);x.type=_n,x.needsUpdate=!0;let M=E*4;for(let P=0;P<u;P++){let O=m[P],F=p[P],H=b[P],L=S*A*4*P;for(let W=0;W<O.count;W++){let q=W*M;f===!0&&(s.fromBufferAttribute(O,W),T[L+q+0]=s.x,T[L+q+1]=s.y,T[L+q+2]=s.z,T[L+q+3]=0),g===!0&&(s.fromBufferAttribute(F,W),T[L+q+4]=s.x,T[L+q+5]=s.y,T[L+q+6]=s.z,T[L+q+7]=0),y===!0&&(s.fromBufferAttribute(H,W),T[L+q+8]=s.x,T[L+q+9]=s.y,T[L+q+10]=s.z,T[L+q+11]=H.itemSize===4?s.w:1)}}d={count:u,texture:x,size:new Nt(S,A)},n.set(a,d),a.addEventListener("dispose",U)}if(o.isInstancedMesh===!0&&o.morphTexture!==null)l.getUniforms().setValue(i,"morphTexture",o.morphTexture,e);else{let f=0;for(let y=0;y<c.length;y++)f+=c[y];let g=a.morphTargetsRelative?1:1-f;l.getUniforms().setValue(i,"morphTargetBaseInfluence",g),l.getUniforms().setValue(i,"morphTargetInfluences",c)}l.getUniforms().setValue(i,"morphTargetsTexture",d.texture,e),l.getUniforms().setValue(i,"morphTargetsTextureSize",d.size)}return{update:r}}function Ly(i,t,e,n,s){let r=new WeakMap;function o(c){let h=s.render.frame,u=c.geometry,d=t.get(c,u);if(r.get(d)!==h&&(t.update(d),r.set(d,h)),c.isInstancedMesh&&(c.hasEventListener("dispose",l)===!1&&c.addEventListener("dispose",l),r.get(c)!==h&&(e.update(c.instanceMatrix,i.ARRAY_BUFFER),c.instanceColor!==null&&e.update(c.instanceColor,i.ARRAY_BUFFER),r.set(c,h))),c.isSkinnedMesh){let f=c.skeleton;r.get(f)!==h&&(f.update(),r.set(f,h))}return d}function a(){r=new WeakMap}function l(c){let h=c.target;h.removeEventListener("dispose",l),n.releaseStatesOfObject(h),e.remove(h.instanceMatrix),h.instanceColor!==null&&e.remove(h.instanceColor)}return{update:o,dispose:a}}var Ny={[mh]:"LINEAR_TONE_MAPPING",[gh]:"REINHARD_TONE_MAPPING",[xh]:"CINEON_TONE_MAPPING",[vh]:"ACES_FILMIC_TONE_MAPPING",[_h]:"AGX_TONE_MAPPING",[bh]:"NEUTRAL_TONE_MAPPING",[yh]:"CUSTOM_TONE_MAPPING"};function Dy(i,t,e,n,s,r){let o=new ln(t,e,{type:i,depthBuffer:s,stencilBuffer:r,samples:n?4:0,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,resolveDepthBuffer:!1,resolveStencilBuffer:!1}),a=null,l=null,c=null,h=new Te;h.setAttribute("position",new ae([-1,3,0,-1,-1,0,3,-1,0],3)),h.setAttribute("uv",new ae([0,2,0,0,2,0],2));let u=new Pa({uniforms:{tDiffuse:{value:null}},vertexShader:`
			precision highp float;

			uniform mat4 modelViewMatrix;
			uniform mat4 projectionMatrix;

			attribute vec3 position;
			attribute vec2 uv;

			varying vec2 vUv;

			void main() {
				vUv = uv;
				gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
			}`,fragmentShader:`
			precision highp float;

			uniform sampler2D tDiffuse;

			varying vec2 vUv;

			#include <tonemapping_pars_fragment>
			#include <colorspace_pars_fragment>

			void main() {
				gl_FragColor = texture2D( tDiffuse, vUv );

				#ifdef LINEAR_TONE_MAPPING
					gl_FragColor.rgb = LinearToneMapping( gl_FragColor.rgb );
				#elif defined( REINHARD_TONE_MAPPING )
					gl_FragColor.rgb = ReinhardToneMapping( gl_FragColor.rgb );
				#elif defined( CINEON_TONE_MAPPING )
					gl_FragColor.rgb = CineonToneMapping( gl_FragColor.rgb );
				#elif defined( ACES_FILMIC_TONE_MAPPING )
					gl_FragColor.rgb = ACESFilmicToneMapping( gl_FragColor.rgb );
				#elif defined( AGX_TONE_MAPPING )
					gl_FragColor.rgb = AgXToneMapping( gl_FragColor.rgb );
				#elif defined( NEUTRAL_TONE_MAPPING )
					gl_FragColor.rgb = NeutralToneMapping( gl_FragColor.rgb );
				#elif defined( CUSTOM_TONE_MAPPING )
					gl_FragColor.rgb = CustomToneMapping( gl_FragColor.rgb );
				#endif

				#ifdef SRGB_TRANSFER
					gl_FragColor = sRGBTransferOETF( gl_FragColor );
				#endif
			}`,depthTest:!1,depthWrite:!1}),d=new Ke(h,u),f=new Nr(-1,1,1,-1,0,1),g=null,y=null,m=!1,p,b=null,E=[],S=!1;this.setSize=function(A,T){o.setSize(A,T),a!==null&&a.setSize(A,T),l!==null&&l.setSize(A,T);for(let x=0;x<E.length;x++){let M=E[x];M.setSize&&M.setSize(A,T)}},this.setEffects=function(A){E=A,S=E.length>0&&E[0].isRenderPass===!0;let T=o.width,x=o.height;E.length>0&&a===null&&(a=new ln(T,x,{type:Ln,depthBuffer:!1,stencilBuffer:!1}),l=new ln(T,x,{type:Ln,depthBuffer:!1,stencilBuffer:!1}));let M=s===!0&&E.some(U=>U.needsDepthTexture===!0);M!==(o.depthTexture!==null)&&(M===!0&&c===null&&(c=new ci(T,x),r===!0&&(c.format=ui,c.type=rs)),o.dispose(),o.depthTexture=M?c:null,o.resolveDepthBuffer=M,o.storeMultisampledDepthBuffer=M);for(let U=0;U<E.length;U++){let P=E[U];P.setSize&&P.setSize(T,x),M&&P.needsDepthTexture===!0&&P.setDepthTexture&&P.setDepthTexture(c)}},this.begin=function(A,T){if(m||A.toneMapping===Hn&&E.length===0)return!1;if(b=T,T!==null){let x=T.width,M=T.height;(o.width!==x||o.height!==M)&&this.setSize(x,M)}return S===!1&&A.setRenderTarget(o),p=A.toneMapping,A.toneMapping=Hn,!0},this.hasRenderPass=function(){return S},this.end=function(A,T){A.toneMapping=p,m=!0;let x=o,M=a;for(let U=0;U<E.length;U++){let P=E[U];P.enabled!==!1&&(P.render(A,M,x,T),P.needsSwap!==!1&&(x=M,M=M===a?l:a))}if(g!==A.outputColorSpace||y!==A.toneMapping){g=A.outputColorSpace,y=A.toneMapping,u.defines={},Qt.getTransfer(g)===se&&(u.defines.SRGB_TRANSFER="");let U=Ny[y];U&&(u.defines[U]=""),u.needsUpdate=!0}u.uniforms.tDiffuse.value=x.texture,A.setRenderTarget(b),A.render(d,f),b=null,m=!1},this.isCompositing=function(){return m},this.dispose=function(){o.dispose(),a!==null&&a.dispose(),l!==null&&l.dispose(),h.dispose(),u.dispose()}}var Up=new Qe,Op=new ci(1,1),Fp=new Sr(1),kp=new mr,Bp=new Ea,zp=new Mr,pp=[],mp=[],gp=new Float32Array(16),xp=new Float32Array(9),vp=new Float32Array(4);function Zs(i,t,e){let n=i[0];if(n<=0||n>0)return i;let s=t*e,r=pp[s];if(r===void 0&&(r=new Float32Array(s),pp[s]=r),t!==0){n.toArray(r,0);for(let o=1,a=0;o!==t;++o)a+=e,i[o].toArray(r,a)}return r}function Ee(i,t){if(i.length!==t.length)return!1;for(let e=0,n=i.length;e<n;e++)if(i[e]!==t[e])return!1;return!0}function Ae(i,t){for(let e=0,n=t.length;e<n;e++)i[e]=t[e]}function Ol(i,t){let e=mp[t];e===void 0&&(e=new Int32Array(t),mp[t]=e);for(let n=0;n!==t;++n)e[n]=i.allocateTextureUnit();return e}function Uy(i,t){let e=this.cache;e[0]!==t&&(i.uniform1f(this.addr,t),e[0]=t)}function Oy(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2f(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(Ee(e,t))return;i.uniform2fv(this.addr,t),Ae(e,t)}}function Fy(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3f(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else if(t.r!==void 0)(e[0]!==t.r||e[1]!==t.g||e[2]!==t.b)&&(i.uniform3f(this.addr,t.r,t.g,t.b),e[0]=t.r,e[1]=t.g,e[2]=t.b);else{if(Ee(e,t))return;i.uniform3fv(this.addr,t),Ae(e,t)}}function ky(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4f(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(Ee(e,t))return;i.uniform4fv(this.addr,t),Ae(e,t)}}function By(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(Ee(e,t))return;i.uniformMatrix2fv(this.addr,!1,t),Ae(e,t)}else{if(Ee(e,n))return;vp.set(n),i.uniformMatrix2fv(this.addr,!1,vp),Ae(e,n)}}function zy(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(Ee(e,t))return;i.uniformMatrix3fv(this.addr,!1,t),Ae(e,t)}else{if(Ee(e,n))return;xp.set(n),i.uniformMatrix3fv(this.addr,!1,xp),Ae(e,n)}}function Vy(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(Ee(e,t))return;i.uniformMatrix4fv(this.addr,!1,t),Ae(e,t)}else{if(Ee(e,n))return;gp.set(n),i.uniformMatrix4fv(this.addr,!1,gp),Ae(e,n)}}function Hy(i,t){let e=this.cache;e[0]!==t&&(i.uniform1i(this.addr,t),e[0]=t)}function Gy(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2i(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(Ee(e,t))return;i.uniform2iv(this.addr,t),Ae(e,t)}}function Wy(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3i(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(Ee(e,t))return;i.uniform3iv(this.addr,t),Ae(e,t)}}function Xy(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4i(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(Ee(e,t))return;i.uniform4iv(this.addr,t),Ae(e,t)}}function $y(i,t){let e=this.cache;e[0]!==t&&(i.uniform1ui(this.addr,t),e[0]=t)}function qy(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2ui(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(Ee(e,t))return;i.uniform2uiv(this.addr,t),Ae(e,t)}}function Yy(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3ui(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(Ee(e,t))return;i.uniform3uiv(this.addr,t),Ae(e,t)}}function Zy(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4ui(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(Ee(e,t))return;i.uniform4uiv(this.addr,t),Ae(e,t)}}function Fl(i){return i.version===0&&(i.compareFunction=Ih,i.needsUpdate=!0),i}function Ky(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_2D_SHADOW?r=Fl(Op):r=Up,e.setTexture2D(t||r,s)}function Jy(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTexture3D(t||Bp,s)}function jy(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_CUBE_SHADOW?r=Fl(Fp):r=zp,e.setTextureCube(t||r,s)}function Qy(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTexture2DArray(t||kp,s)}function t_(i){switch(i){case 5126:return Uy;case 35664:return Oy;case 35665:return Fy;case 35666:return ky;case 35674:return By;case 35675:return zy;case 35676:return Vy;case 5124:case 35670:return Hy;case 35667:case 35671:return Gy;case 35668:case 35672:return Wy;case 35669:case 35673:return Xy;case 5125:return $y;case 36294:return qy;case 36295:return Yy;case 36296:return Zy;case 35678:case 36198:case 36298:case 36306:case 35682:return Ky;case 35679:case 36299:case 36307:return Jy;case 35680:case 36300:case 36308:case 36293:return jy;case 36289:case 36303:case 36311:case 36292:return Qy}}function e_(i,t){i.uniform1fv(this.addr,t)}function n_(i,t){let e=Zs(t,this.size,2);i.uniform2fv(this.addr,e)}function i_(i,t){let e=Zs(t,this.size,3);i.uniform3fv(this.addr,e)}function s_(i,t){let e=Zs(t,this.size,4);i.uniform4fv(this.addr,e)}function r_(i,t){let e=Zs(t,this.size,4);i.uniformMatrix2fv(this.addr,!1,e)}function o_(i,t){let e=Zs(t,this.size,9);i.uniformMatrix3fv(this.addr,!1,e)}function a_(i,t){let e=Zs(t,this.size,16);i.uniformMatrix4fv(this.addr,!1,e)}function l_(i,t){i.uniform1iv(this.addr,t)}function c_(i,t){i.uniform2iv(this.addr,t)}function h_(i,t){i.uniform3iv(this.addr,t)}function u_(i,t){i.uniform4iv(this.addr,t)}function d_(i,t){i.uniform1uiv(this.addr,t)}function f_(i,t){i.uniform2uiv(this.addr,t)}function p_(i,t){i.uniform3uiv(this.addr,t)}function m_(i,t){i.uniform4uiv(this.addr,t)}function g_(i,t,e){let n=this.cache,s=t.length,r=Ol(e,s);Ee(n,r)||(i.uniform1iv(this.addr,r),Ae(n,r));let o;this.type===i.SAMPLER_2D_SHADOW?o=Fl(Op):o=Up;for(let a=0;a!==s;++a)e.setTexture2D(t[a]||o,r[a])}function x_(i,t,e){let n=this.cache,s=t.length,r=Ol(e,s);Ee(n,r)||(i.uniform1iv(this.addr,r),Ae(n,r));for(let o=0;o!==s;++o)e.setTexture3D(t[o]||Bp,r[o])}function v_(i,t,e){let n=this.cache,s=t.length,r=Ol(e,s);Ee(n,r)||(i.uniform1iv(this.addr,r),Ae(n,r));let o;this.type===i.SAMPLER_CUBE_SHADOW?o=Fl(Fp):o=zp;for(let a=0;a!==s;++a)e.setTextureCube(t[a]||o,r[a])}function y_(i,t,e){let n=this.cache,s=t.length,r=Ol(e,s);Ee(n,r)||(i.uniform1iv(this.addr,r),Ae(n,r));for(let o=0;o!==s;++o)e.setTexture2DArray(t[o]||kp,r[o])}function __(i){switch(i){case 5126:return e_;case 35664:return n_;case 35665:return i_;case 35666:return s_;case 35674:return r_;case 35675:return o_;case 35676:return a_;case 5124:case 35670:return l_;case 35667:case 35671:return c_;case 35668:case 35672:return h_;case 35669:case 35673:return u_;case 5125:return d_;case 36294:return f_;case 36295:return p_;case 36296:return m_;case 35678:case 36198:case 36298:case 36306:case 35682:return g_;case 35679:case 36299:case 36307:return x_;case 35680:case 36300:case 36308:case 36293:return v_;case 36289:case 36303:case 36311:case 36292:return y_}}var Xh=class{constructor(t,e,n){this.id=t,this.addr=n,this.cache=[],this.type=e.type,this.setValue=t_(e.type)}},$h=class{constructor(t,e,n){this.id=t,this.addr=n,this.cache=[],this.type=e.type,this.size=e.size,this.setValue=__(e.type)}},qh=class{constructor(t){this.id=t,this.seq=[],this.map={}}setValue(t,e,n){let s=this.seq;for(let r=0,o=s.length;r!==o;++r){let a=s[r];a.setValue(t,e[a.id],n)}}},Gh=/(\w+)(\])?(\[|\.)?/g;function yp(i,t){i.seq.push(t),i.map[t.id]=t}function b_(i,t,e){let n=i.name,s=n.length;for(Gh.lastIndex=0;;){let r=Gh.exec(n),o=Gh.lastIndex,a=r[1],l=r[2]==="]",c=r[3];if(l&&(a=a|0),c===void 0||c==="["&&o+2===s){yp(e,c===void 0?new Xh(a,i,t):new $h(a,i,t));break}else{let u=e.map[a];u===void 0&&(u=new qh(a),yp(e,u)),e=u}}}var Ys=class{constructor(t,e){this.seq=[],this.map={};let n=t.getProgramParameter(e,t.ACTIVE_UNIFORMS);for(let o=0;o<n;++o){let a=t.getActiveUniform(e,o),l=t.getUniformLocation(e,a.name);b_(a,l,this)}let s=[],r=[];for(let o of this.seq)o.type===t.SAMPLER_2D_SHADOW||o.type===t.SAMPLER_CUBE_SHADOW||o.type===t.SAMPLER_2D_ARRAY_SHADOW?s.push(o):r.push(o);s.length>0&&(this.seq=s.concat(r))}setValue(t,e,n,s){let r=this.map[e];r!==void 0&&r.setValue(t,n,s)}setOptional(t,e,n){let s=e[n];s!==void 0&&this.setValue(t,n,s)}static upload(t,e,n,s){for(let r=0,o=e.length;r!==o;++r){let a=e[r],l=n[a.id];l.needsUpdate!==!1&&a.setValue(t,l.value,s)}}static seqWithValue(t,e){let n=[];for(let s=0,r=t.length;s!==r;++s){let o=t[s];o.id in e&&n.push(o)}return n}};function _p(i,t,e){let n=i.createShader(t);return i.shaderSource(n,e),i.compileShader(n),n}var M_=37297,S_=0;function w_(i,t){let e=i.split(`
`),n=[],s=Math.max(t-6,0),r=Math.min(t+6,e.length);for(let o=s;o<r;o++){let a=o+1;n.push(`${a===t?">":" "} ${a}: ${e[o]}`)}return n.join(`
`)}var bp=new Ft;function T_(i){Qt._getMatrix(bp,Qt.workingColorSpace,i);let t=`mat3( ${bp.elements.map(e=>e.toFixed(4))} )`;switch(Qt.getTransfer(i)){case fr:return[t,"LinearTransferOETF"];case se:return[t,"sRGBTransferOETF"];default:return Ct("WebGLProgram: Unsupported color space: ",i),[t,"LinearTransferOETF"]}}function Mp(i,t,e){let n=i.getShaderParameter(t,i.COMPILE_STATUS),r=(i.getShaderInfoLog(t)||"").trim();if(n&&r==="")return"";let o=/ERROR: 0:(\d+)/.exec(r);if(o){let a=parseInt(o[1]);return e.toUpperCase()+`

`+r+`

`+w_(i.getShaderSource(t),a)}else return r}function E_(i,t){let e=T_(t);return[`vec4 ${i}( vec4 value ) {`,`	return ${e[1]}( vec4( ${e[0]} * value.rgb, value.a ) );`,"}"].join(`
`)}var A_={[mh]:"Linear",[gh]:"Reinhard",[xh]:"Cineon",[vh]:"ACESFilmic",[_h]:"AgX",[bh]:"Neutral",[yh]:"Custom"};function C_(i,t){let e=A_[t];return e===void 0?(Ct("WebGLProgram: Unsupported toneMapping:",t),"vec3 "+i+"( vec3 color ) { return LinearToneMapping( color ); }"):"vec3 "+i+"( vec3 color ) { return "+e+"ToneMapping( color ); }"}var Nl=new I;function R_(){Qt.getLuminanceCoefficients(Nl);let i=Nl.x.toFixed(4),t=Nl.y.toFixed(4),e=Nl.z.toFixed(4);return["float luminance( const in vec3 rgb ) {",`	const vec3 weights = vec3( ${i}, ${t}, ${e} );`,"	return dot( weights, rgb );","}"].join(`
`)}function P_(i){return[i.extensionClipCullDistance?"#extension GL_ANGLE_clip_cull_distance : require":"",i.extensionMultiDraw?"#extension GL_ANGLE_multi_draw : require":""].filter(qr).join(`
`)}function I_(i){let t=[];for(let e in i){let n=i[e];n!==!1&&t.push("#define "+e+" "+n)}return t.join(`
`)}function L_(i,t){let e={},n=i.getProgramParameter(t,i.ACTIVE_ATTRIBUTES);for(let s=0;s<n;s++){let r=i.getActiveAttrib(t,s),o=r.name,a=1;r.type===i.FLOAT_MAT2&&(a=2),r.type===i.FLOAT_MAT3&&(a=3),r.type===i.FLOAT_MAT4&&(a=4),e[o]={type:r.type,location:i.getAttribLocation(t,o),locationSize:a}}return e}function qr(i){return i!==""}function Sp(i,t){let e=t.numSpotLightShadows+t.numSpotLightMaps-t.numSpotLightShadowsWithMaps;return i.replace(/NUM_SUN_LIGHTS/g,t.numSunLights).replace(/NUM_DIR_LIGHTS/g,t.numDirLights).replace(/NUM_SPOT_LIGHTS/g,t.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,t.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,e).replace(/NUM_RECT_AREA_LIGHTS/g,t.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,t.numPointLights).replace(/NUM_HEMI_LIGHTS/g,t.numHemiLights).replace(/NUM_SUN_LIGHT_SHADOWS/g,t.numSunLightShadows).replace(/NUM_DIR_LIGHT_SHADOWS/g,t.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,t.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,t.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,t.numPointLightShadows).replace(/NUM_LIGHT_PROBE_GRIDS/g,t.numLightProbeGrids)}function wp(i,t){return i.replace(/NUM_CLIPPING_PLANES/g,t.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,t.numClippingPlanes-t.numClipIntersection)}var N_=/^[ \t]*#include +<([\w\d./]+)>/gm;function Yh(i){return i.replace(N_,D_)}function D_(i,t){let e=$t[t];if(e===void 0)throw new Error("THREE.WebGLProgram: Can not resolve #include <"+t+">");return Yh(e)}var U_=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;function Tp(i){return i.replace(U_,O_)}function O_(i,t,e,n){let s="";for(let r=parseInt(t);r<parseInt(e);r++)s+=n.replace(/\[\s*i\s*\]/g,"[ "+r+" ]").replace(/UNROLLED_LOOP_INDEX/g,r);return s}function Ep(i){let t=`precision ${i.precision} float;
	precision ${i.precision} int;
	precision ${i.precision} sampler2D;
	precision ${i.precision} samplerCube;
	precision ${i.precision} sampler3D;
	precision ${i.precision} sampler2DArray;
	precision ${i.precision} sampler2DShadow;
	precision ${i.precision} samplerCubeShadow;
	precision ${i.precision} sampler2DArrayShadow;
	precision ${i.precision} isampler2D;
	precision ${i.precision} isampler3D;
	precision ${i.precision} isamplerCube;
	precision ${i.precision} isampler2DArray;
	precision ${i.precision} usampler2D;
	precision ${i.precision} usampler3D;
	precision ${i.precision} usamplerCube;
	precision ${i.precision} usampler2DArray;
	`;return i.precision==="highp"?t+=`
#define HIGH_PRECISION`:i.precision==="mediump"?t+=`
#define MEDIUM_PRECISION`:i.precision==="lowp"&&(t+=`
#define LOW_PRECISION`),t}var F_={[es]:"SHADOWMAP_TYPE_PCF",[Gs]:"SHADOWMAP_TYPE_VSM"};function k_(i){return F_[i.shadowMapType]||"SHADOWMAP_TYPE_BASIC"}var B_={[Xs]:"ENVMAP_MODE_REFRACTION"};function z_(i){return i.envMap===!1?"ENVMAP_MODE_REFLECTION":B_[i.envMapMode]||"ENVMAP_MODE_REFLECTION"}var V_={[Xa]:"ENVMAP_BLENDING_MULTIPLY",[Hf]:"ENVMAP_BLENDING_MIX",[Gf]:"ENVMAP_BLENDING_ADD"};function H_(i){return i.envMap===!1?"ENVMAP_BLENDING_NONE":V_[i.combine]||"ENVMAP_BLENDING_NONE"}function G_(i,t,e,n){let s=i.getContext(),r=e.defines,o=e.vertexShader,a=e.fragmentShader,l=k_(e),c=e.envMapPMREM===!0?"ENVMAP_TYPE_PMREM":"ENVMAP_TYPE_CUBE",h=z_(e),u=H_(e),d=P_(e),f=I_(r),g=s.createProgram(),y,m,p=e.glslVersion?"#version "+e.glslVersion+`
`:"";e.isRawShaderMaterial?(y=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,f].filter(qr).join(`
`),y.length>0&&(y+=`
`),m=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,f].filter(qr).join(`
`),m.length>0&&(m+=`
`)):(y=[Ep(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,f,e.extensionClipCullDistance?"#define USE_CLIP_DISTANCE":"",e.batching?"#define USE_BATCHING":"",e.batchingColor?"#define USE_BATCHING_COLOR":"",e.instancing?"#define USE_INSTANCING":"",e.instancingColor?"#define USE_INSTANCING_COLOR":"",e.instancingMorph?"#define USE_INSTANCING_MORPH":"",e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.map?"#define USE_MAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+h:"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.displacementMap?"#define USE_DISPLACEMENTMAP":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.mapUv?"#define MAP_UV "+e.mapUv:"",e.alphaMapUv?"#define ALPHAMAP_UV "+e.alphaMapUv:"",e.lightMapUv?"#define LIGHTMAP_UV "+e.lightMapUv:"",e.aoMapUv?"#define AOMAP_UV "+e.aoMapUv:"",e.emissiveMapUv?"#define EMISSIVEMAP_UV "+e.emissiveMapUv:"",e.bumpMapUv?"#define BUMPMAP_UV "+e.bumpMapUv:"",e.normalMapUv?"#define NORMALMAP_UV "+e.normalMapUv:"",e.displacementMapUv?"#define DISPLACEMENTMAP_UV "+e.displacementMapUv:"",e.metalnessMapUv?"#define METALNESSMAP_UV "+e.metalnessMapUv:"",e.roughnessMapUv?"#define ROUGHNESSMAP_UV "+e.roughnessMapUv:"",e.anisotropyMapUv?"#define ANISOTROPYMAP_UV "+e.anisotropyMapUv:"",e.clearcoatMapUv?"#define CLEARCOATMAP_UV "+e.clearcoatMapUv:"",e.clearcoatNormalMapUv?"#define CLEARCOAT_NORMALMAP_UV "+e.clearcoatNormalMapUv:"",e.clearcoatRoughnessMapUv?"#define CLEARCOAT_ROUGHNESSMAP_UV "+e.clearcoatRoughnessMapUv:"",e.diffuseRoughnessMapUv?"#define DIFFUSE_ROUGHNESSMAP_UV "+e.diffuseRoughnessMapUv:"",e.iridescenceMapUv?"#define IRIDESCENCEMAP_UV "+e.iridescenceMapUv:"",e.iridescenceThicknessMapUv?"#define IRIDESCENCE_THICKNESSMAP_UV "+e.iridescenceThicknessMapUv:"",e.sheenColorMapUv?"#define SHEEN_COLORMAP_UV "+e.sheenColorMapUv:"",e.sheenRoughnessMapUv?"#define SHEEN_ROUGHNESSMAP_UV "+e.sheenRoughnessMapUv:"",e.specularMapUv?"#define SPECULARMAP_UV "+e.specularMapUv:"",e.specularColorMapUv?"#define SPECULAR_COLORMAP_UV "+e.specularColorMapUv:"",e.specularIntensityMapUv?"#define SPECULAR_INTENSITYMAP_UV "+e.specularIntensityMapUv:"",e.transmissionMapUv?"#define TRANSMISSIONMAP_UV "+e.transmissionMapUv:"",e.thicknessMapUv?"#define THICKNESSMAP_UV "+e.thicknessMapUv:"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexNormals?"#define HAS_NORMAL":"",e.vertexColors?"#define USE_COLOR":"",e.vertexAlphas?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.flatShading?"#define FLAT_SHADED":"",e.skinning?"#define USE_SKINNING":"",e.morphTargets?"#define USE_MORPHTARGETS":"",e.morphNormals&&e.flatShading===!1?"#define USE_MORPHNORMALS":"",e.morphColors?"#define USE_MORPHCOLORS":"",e.morphTargetsCount>0?"#define MORPHTARGETS_TEXTURE_STRIDE "+e.morphTextureStride:"",e.morphTargetsCount>0?"#define MORPHTARGETS_COUNT "+e.morphTargetsCount:"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+l:"",e.sizeAttenuation?"#define USE_SIZEATTENUATION":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",e.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 modelMatrix;","uniform mat4 modelViewMatrix;","uniform mat4 projectionMatrix;","uniform mat4 viewMatrix;","uniform mat3 normalMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;","#ifdef USE_INSTANCING","	attribute mat4 instanceMatrix;","#endif","#ifdef USE_INSTANCING_COLOR","	attribute vec3 instanceColor;","#endif","#ifdef USE_INSTANCING_MORPH","	uniform sampler2D morphTexture;","#endif","attribute vec3 position;","attribute vec3 normal;","attribute vec2 uv;","#ifdef USE_UV1","	attribute vec2 uv1;","#endif","#ifdef USE_UV2","	attribute vec2 uv2;","#endif","#ifdef USE_UV3","	attribute vec2 uv3;","#endif","#ifdef USE_TANGENT","	attribute vec4 tangent;","#endif","#if defined( USE_COLOR_ALPHA )","	attribute vec4 color;","#elif defined( USE_COLOR )","	attribute vec3 color;","#endif","#ifdef USE_SKINNING","	attribute vec4 skinIndex;","	attribute vec4 skinWeight;","#endif",`
`].filter(qr).join(`
`),m=[Ep(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,f,e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.alphaToCoverage?"#define ALPHA_TO_COVERAGE":"",e.map?"#define USE_MAP":"",e.matcap?"#define USE_MATCAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+c:"",e.envMap?"#define "+h:"",e.envMap?"#define "+u:"",e.envMapPMREM?"#define ENVMAP_MAX_LOD "+e.envMapMaxLod+".0":"",e.envMapPMREM?"#define ENVMAP_SIZE "+e.envMapSize+".0":"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.packedNormalMap?"#define USE_PACKED_NORMALMAP":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoat?"#define USE_CLEARCOAT":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.diffuseRoughness?"#define USE_DIFFUSE_ROUGHNESS":"",e.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",e.dispersion?"#define USE_DISPERSION":"",e.retroreflection?"#define USE_RETROREFLECTION":"",e.iridescence?"#define USE_IRIDESCENCE":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaTest?"#define USE_ALPHATEST":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.sheen?"#define USE_SHEEN":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexColors||e.instancingColor?"#define USE_COLOR":"",e.vertexAlphas||e.batchingColor?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.gradientMap?"#define USE_GRADIENTMAP":"",e.flatShading?"#define FLAT_SHADED":"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+l:"",e.premultipliedAlpha?"#define PREMULTIPLIED_ALPHA":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.decodeVideoTexture?"#define DECODE_VIDEO_TEXTURE":"",e.decodeVideoTextureEmissive?"#define DECODE_VIDEO_TEXTURE_EMISSIVE":"",e.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",e.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 viewMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;",e.toneMapping!==Hn?"#define TONE_MAPPING":"",e.toneMapping!==Hn?$t.tonemapping_pars_fragment:"",e.toneMapping!==Hn?C_("toneMapping",e.toneMapping):"",e.dithering?"#define DITHERING":"",e.opaque?"#define OPAQUE":"",$t.colorspace_pars_fragment,E_("linearToOutputTexel",e.outputColorSpace),R_(),e.useDepthPacking?"#define DEPTH_PACKING "+e.depthPacking:"",`
`].filter(qr).join(`
`)),o=Yh(o),o=Sp(o,e),o=wp(o,e),a=Yh(a),a=Sp(a,e),a=wp(a,e),o=Tp(o),a=Tp(a),e.isRawShaderMaterial!==!0&&(p=`#version 300 es
`,y=[d,"#define attribute in","#define varying out","#define texture2D texture"].join(`
`)+`
`+y,m=["#define varying in",e.glslVersion===Nh?"":"layout(location = 0) out highp vec4 pc_fragColor;",e.glslVersion===Nh?"":"#define gl_FragColor pc_fragColor","#define gl_FragDepthEXT gl_FragDepth","#define texture2D texture","#define textureCube texture","#define texture2DProj textureProj","#define texture2DLodEXT textureLod","#define texture2DProjLodEXT textureProjLod","#define textureCubeLodEXT textureLod","#define texture2DGradEXT textureGrad","#define texture2DProjGradEXT textureProjGrad","#define textureCubeGradEXT textureGrad"].join(`
`)+`
`+m);let b=p+y+o,E=p+m+a,S=_p(s,s.VERTEX_SHADER,b),A=_p(s,s.FRAGMENT_SHADER,E);s.attachShader(g,S),s.attachShader(g,A),e.index0AttributeName!==void 0?s.bindAttribLocation(g,0,e.index0AttributeName):e.hasPositionAttribute===!0&&s.bindAttribLocation(g,0,"position"),s.linkProgram(g);function T(P){if(i.debug.checkShaderErrors){let O=s.getProgramInfoLog(g)||"",F=s.getShaderInfoLog(S)||"",H=s.getShaderInfoLog(A)||"",L=O.trim(),W=F.trim(),q=H.trim(),G=!0,it=!0;if(s.getProgramParameter(g,s.LINK_STATUS)===!1)if(G=!1,typeof i.debug.onShaderError=="function")i.debug.onShaderError(s,g,S,A);else{let $=Mp(s,S,"vertex"),Q=Mp(s,A,"fragment");Ut("WebGLProgram: Shader Error "+s.getError()+" - VALIDATE_STATUS "+s.getProgramParameter(g,s.VALIDATE_STATUS)+`

Material Name: `+P.name+`
Material Type: `+P.type+`

Program Info Log: `+L+`
`+$+`
`+Q)}else L!==""?Ct("WebGLProgram: Program Info Log:",L):(W===""||q==="")&&(it=!1);it&&(P.diagnostics={runnable:G,programLog:L,vertexShader:{log:W,prefix:y},fragmentShader:{log:q,prefix:m}})}s.deleteShader(S),s.deleteShader(A),x=new Ys(s,g),M=L_(s,g)}let x;this.getUniforms=function(){return x===void 0&&T(this),x};let M;this.getAttributes=function(){return M===void 0&&T(this),M};let U=e.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return U===!1&&(U=s.getProgramParameter(g,M_)),U},this.destroy=function(){n.releaseStatesOfProgram(this),s.deleteProgram(g),this.program=void 0},this.type=e.shaderType,this.name=e.shaderName,this.id=S_++,this.cacheKey=t,this.usedTimes=1,this.program=g,this.vertexShader=S,this.fragmentShader=A,this}var W_=0,Zh=class{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(t,e,n){let s=this._getShaderCacheForMaterial(t);return s.has(e)===!1&&(s.add(e),e.usedTimes++),s.has(n)===!1&&(s.add(n),n.usedTimes++),this}remove(t){let e=this.materialCache.get(t);for(let n of e)n.usedTimes--,n.usedTimes===0&&this.shaderCache.delete(n.code);return this.materialCache.delete(t),this}getVertexShaderStage(t){return this._getShaderStage(t.vertexShader)}getFragmentShaderStage(t){return this._getShaderStage(t.fragmentShader)}dispose(){this.shaderCache.clear(),this.materialCache.clear()}_getShaderCacheForMaterial(t){let e=this.materialCache,n=e.get(t);return n===void 0&&(n=new Set,e.set(t,n)),n}_getShaderStage(t){let e=this.shaderCache,n=e.get(t);return n===void 0&&(n=new Kh(t),e.set(t,n)),n}},Kh=class{constructor(t){this.id=W_++,this.code=t,this.usedTimes=0}};function X_(i){return i===Di||i===Gr||i===Wr}function $_(i,t,e,n,s,r){let o=new gr,a=new Zh,l=new Set,c=[],h=new Map,u=n.logarithmicDepthBuffer,d={MeshDepthMaterial:"depth",MeshDistanceMaterial:"distance",MeshNormalMaterial:"normal",MeshBasicMaterial:"basic",MeshLambertMaterial:"lambert",MeshPhongMaterial:"phong",MeshToonMaterial:"toon",MeshStandardMaterial:"physical",MeshPhysicalMaterial:"physical",MeshMatcapMaterial:"matcap",LineBasicMaterial:"basic",LineDashedMaterial:"dashed",PointsMaterial:"points",ShadowMaterial:"shadow",SpriteMaterial:"sprite"};function f(x){return l.add(x),x===0?"uv":`uv${x}`}function g(x,M,U,P,O,F){let H=P.fog,L=O.geometry,W=x.isMeshStandardMaterial||x.isMeshLambertMaterial||x.isMeshPhongMaterial?P.environment:null,q=x.isMeshStandardMaterial||x.isMeshLambertMaterial&&!x.envMap||x.isMeshPhongMaterial&&!x.envMap,G=t.get(x.envMap||W,q),it=d[x.type],$=n.precision;x.precision!==null&&($=n.getMaxPrecision(x.precision),$!==x.precision&&Ct("WebGLProgram.getParameters:",x.precision,"not supported, using",$,"instead."));let Q=L.morphAttributes.position||L.morphAttributes.normal||L.morphAttributes.color,et=Q!==void 0?Q.length:0,St=0;L.morphAttributes.position!==void 0&&(St=1),L.morphAttributes.normal!==void 0&&(St=2),L.morphAttributes.color!==void 0&&(St=3);let Bt,K,gt,_t;if(it){let pt=Wn[it];Bt=pt.vertexShader,K=pt.fragmentShader}else{Bt=x.vertexShader,K=x.fragmentShader;let pt=a.getVertexShaderStage(x),oe=a.getFragmentShaderStage(x);a.update(x,pt,oe),gt=pt.id,_t=oe.id}let Rt=i.getRenderTarget(),xt=i.state.buffers.depth.getReversed(),Ht=O.isInstancedMesh===!0,_e=O.isBatchedMesh===!0,It=!!x.map,re=!!x.matcap,le=!!G,Kt=le&&G.isPMREMTexture===!0,Ue=!!x.aoMap,Se=!!x.lightMap,je=!!x.bumpMap&&x.wireframe===!1,ge=!!x.normalMap,Dn=!!x.displacementMap,Re=!!x.emissiveMap,un=!!x.metalnessMap,dn=!!x.roughnessMap,fn=x.anisotropy>0,D=x.clearcoat>0,pn=x.diffuseRoughness>0,fe=x.dispersion>0,pe=x.retroreflectivity>0,ft=x.iridescence>0,we=x.sheen>0,Pt=x.transmission>0,kt=fn&&!!x.anisotropyMap,w=D&&!!x.clearcoatMap,v=D&&!!x.clearcoatNormalMap,B=D&&!!x.clearcoatRoughnessMap,nt=pn&&!!x.diffuseRoughnessMap,j=ft&&!!x.iridescenceMap,ot=ft&&!!x.iridescenceThicknessMap,ut=we&&!!x.sheenColorMap,Y=we&&!!x.sheenRoughnessMap,Z=!!x.specularMap,lt=!!x.specularColorMap,R=!!x.specularIntensityMap,J=Pt&&!!x.transmissionMap,X=Pt&&!!x.thicknessMap,ct=!!x.gradientMap,rt=!!x.alphaMap,at=x.alphaTest>0,Tt=!!x.alphaHash,Wt=!!x.extensions,st=Hn;x.toneMapped&&(Rt===null||Rt.isXRRenderTarget===!0)&&(st=i.toneMapping);let At=Kt?G.isCompressedCubeTexture?G.image[0].mipmaps:G.mipmaps:null,Gt={shaderID:it,shaderType:x.type,shaderName:x.name,vertexShader:Bt,fragmentShader:K,defines:x.defines,customVertexShaderID:gt,customFragmentShaderID:_t,isRawShaderMaterial:x.isRawShaderMaterial===!0,glslVersion:x.glslVersion,precision:$,batching:_e,batchingColor:_e&&O._colorsTexture!==null,instancing:Ht,instancingColor:Ht&&O.instanceColor!==null,instancingMorph:Ht&&O.morphTexture!==null,outputColorSpace:Rt===null?i.outputColorSpace:Rt.isXRRenderTarget===!0?Rt.texture.colorSpace:Qt.workingColorSpace,alphaToCoverage:!!x.alphaToCoverage,map:It,matcap:re,envMap:le,envMapMode:le&&G.mapping,envMapPMREM:Kt,envMapMaxLod:Kt?At.length-1:null,envMapSize:Kt?At[0].width:null,aoMap:Ue,lightMap:Se,bumpMap:je,normalMap:ge,displacementMap:Dn,emissiveMap:Re,normalMapObjectSpace:ge&&x.normalMapType===$f,normalMapTangentSpace:ge&&x.normalMapType===Xr,packedNormalMap:ge&&x.normalMapType===Xr&&X_(x.normalMap.format),metalnessMap:un,roughnessMap:dn,anisotropy:fn,anisotropyMap:kt,clearcoat:D,clearcoatMap:w,clearcoatNormalMap:v,clearcoatRoughnessMap:B,diffuseRoughness:pn,diffuseRoughnessMap:nt,dispersion:fe,retroreflection:pe,iridescence:ft,iridescenceMap:j,iridescenceThicknessMap:ot,sheen:we,sheenColorMap:ut,sheenRoughnessMap:Y,specularMap:Z,specularColorMap:lt,specularIntensityMap:R,transmission:Pt,transmissionMap:J,thicknessMap:X,gradientMap:ct,opaque:x.transparent===!1&&x.blending===Ws&&x.alphaToCoverage===!1,alphaMap:rt,alphaTest:at,alphaHash:Tt,combine:x.combine,mapUv:It&&f(x.map.channel),aoMapUv:Ue&&f(x.aoMap.channel),lightMapUv:Se&&f(x.lightMap.channel),bumpMapUv:je&&f(x.bumpMap.channel),normalMapUv:ge&&f(x.normalMap.channel),displacementMapUv:Dn&&f(x.displacementMap.channel),emissiveMapUv:Re&&f(x.emissiveMap.channel),metalnessMapUv:un&&f(x.metalnessMap.channel),roughnessMapUv:dn&&f(x.roughnessMap.channel),anisotropyMapUv:kt&&f(x.anisotropyMap.channel),clearcoatMapUv:w&&f(x.clearcoatMap.channel),clearcoatNormalMapUv:v&&f(x.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:B&&f(x.clearcoatRoughnessMap.channel),diffuseRoughnessMapUv:nt&&f(x.diffuseRoughnessMap.channel),iridescenceMapUv:j&&f(x.iridescenceMap.channel),iridescenceThicknessMapUv:ot&&f(x.iridescenceThicknessMap.channel),sheenColorMapUv:ut&&f(x.sheenColorMap.channel),sheenRoughnessMapUv:Y&&f(x.sheenRoughnessMap.channel),specularMapUv:Z&&f(x.specularMap.channel),specularColorMapUv:lt&&f(x.specularColorMap.channel),specularIntensityMapUv:R&&f(x.specularIntensityMap.channel),transmissionMapUv:J&&f(x.transmissionMap.channel),thicknessMapUv:X&&f(x.thicknessMap.channel),alphaMapUv:rt&&f(x.alphaMap.channel),vertexTangents:!!L.attributes.tangent&&(ge||fn),vertexNormals:!!L.attributes.normal,vertexColors:x.vertexColors,vertexAlphas:x.vertexColors===!0&&!!L.attributes.color&&L.attributes.color.itemSize===4,pointsUvs:O.isPoints===!0&&!!L.attributes.uv&&(It||rt),fog:!!H,useFog:x.fog===!0,fogExp2:!!H&&H.isFogExp2,flatShading:x.wireframe===!1&&(x.flatShading===!0||L.attributes.normal===void 0&&ge===!1&&(x.isMeshLambertMaterial||x.isMeshPhongMaterial||x.isMeshStandardMaterial||x.isMeshPhysicalMaterial)),sizeAttenuation:x.sizeAttenuation===!0,logarithmicDepthBuffer:u,reversedDepthBuffer:xt,skinning:O.isSkinnedMesh===!0,hasPositionAttribute:L.attributes.position!==void 0,morphTargets:L.morphAttributes.position!==void 0,morphNormals:L.morphAttributes.normal!==void 0,morphColors:L.morphAttributes.color!==void 0,morphTargetsCount:et,morphTextureStride:St,numSunLights:M.sun.length,numDirLights:M.directional.length,numPointLights:M.point.length,numSpotLights:M.spot.length,numSpotLightMaps:M.spotLightMap.length,numRectAreaLights:M.rectArea.length,numHemiLights:M.hemi.length,numSunLightShadows:M.sunShadowMap.length,numDirLightShadows:M.directionalShadowMap.length,numPointLightShadows:M.pointShadowMap.length,numSpotLightShadows:M.spotShadowMap.length,numSpotLightShadowsWithMaps:M.numSpotLightShadowsWithMaps,numLightProbes:M.numLightProbes,numLightProbeGrids:F.filter(pt=>pt.texture!==null).length,numClippingPlanes:r.numPlanes,numClipIntersection:r.numIntersection,dithering:x.dithering,shadowMapEnabled:i.shadowMap.enabled&&U.length>0,shadowMapType:i.shadowMap.type,toneMapping:st,decodeVideoTexture:It&&x.map.isVideoTexture===!0&&Qt.getTransfer(x.map.colorSpace)===se,decodeVideoTextureEmissive:Re&&x.emissiveMap.isVideoTexture===!0&&Qt.getTransfer(x.emissiveMap.colorSpace)===se,premultipliedAlpha:x.premultipliedAlpha,doubleSided:x.side===hn,flipSided:x.side===Je,useDepthPacking:x.depthPacking>=0,depthPacking:x.depthPacking||0,index0AttributeName:x.index0AttributeName,extensionClipCullDistance:Wt&&x.extensions.clipCullDistance===!0&&e.has("WEBGL_clip_cull_distance"),extensionMultiDraw:(Wt&&x.extensions.multiDraw===!0||_e)&&e.has("WEBGL_multi_draw"),rendererExtensionParallelShaderCompile:e.has("KHR_parallel_shader_compile"),customProgramCacheKey:x.customProgramCacheKey()};return Gt.vertexUv1s=l.has(1),Gt.vertexUv2s=l.has(2),Gt.vertexUv3s=l.has(3),l.clear(),Gt}function y(x){let M=[];if(x.shaderID?M.push(x.shaderID):(M.push(x.customVertexShaderID),M.push(x.customFragmentShaderID)),x.defines!==void 0)for(let U in x.defines)M.push(U),M.push(x.defines[U]);return x.isRawShaderMaterial===!1&&(m(M,x),p(M,x),M.push(i.outputColorSpace)),M.push(x.customProgramCacheKey),M.join()}function m(x,M){x.push(M.precision),x.push(M.outputColorSpace),x.push(M.envMapMode),x.push(M.envMapPMREM),x.push(M.envMapMaxLod),x.push(M.envMapSize),x.push(M.mapUv),x.push(M.alphaMapUv),x.push(M.lightMapUv),x.push(M.aoMapUv),x.push(M.bumpMapUv),x.push(M.normalMapUv),x.push(M.displacementMapUv),x.push(M.emissiveMapUv),x.push(M.metalnessMapUv),x.push(M.roughnessMapUv),x.push(M.anisotropyMapUv),x.push(M.clearcoatMapUv),x.push(M.clearcoatNormalMapUv),x.push(M.clearcoatRoughnessMapUv),x.push(M.diffuseRoughnessMapUv),x.push(M.iridescenceMapUv),x.push(M.iridescenceThicknessMapUv),x.push(M.sheenColorMapUv),x.push(M.sheenRoughnessMapUv),x.push(M.specularMapUv),x.push(M.specularColorMapUv),x.push(M.specularIntensityMapUv),x.push(M.transmissionMapUv),x.push(M.thicknessMapUv),x.push(M.combine),x.push(M.fogExp2),x.push(M.sizeAttenuation),x.push(M.morphTargetsCount),x.push(M.numSunLights),x.push(M.numDirLights),x.push(M.numPointLights),x.push(M.numSpotLights),x.push(M.numSpotLightMaps),x.push(M.numHemiLights),x.push(M.numRectAreaLights),x.push(M.numSunLightShadows),x.push(M.numDirLightShadows),x.push(M.numPointLightShadows),x.push(M.numSpotLightShadows),x.push(M.numSpotLightShadowsWithMaps),x.push(M.numLightProbes),x.push(M.numLightProbeGrids),x.push(M.shadowMapType),x.push(M.toneMapping),x.push(M.numClippingPlanes),x.push(M.numClipIntersection),x.push(M.depthPacking)}function p(x,M){o.disableAll(),M.instancing&&o.enable(0),M.instancingColor&&o.enable(1),M.instancingMorph&&o.enable(2),M.matcap&&o.enable(3),M.envMap&&o.enable(4),M.normalMapObjectSpace&&o.enable(5),M.normalMapTangentSpace&&o.enable(6),M.clearcoat&&o.enable(7),M.iridescence&&o.enable(8),M.alphaTest&&o.enable(9),M.vertexColors&&o.enable(10),M.vertexAlphas&&o.enable(11),M.vertexUv1s&&o.enable(12),M.vertexUv2s&&o.enable(13),M.vertexUv3s&&o.enable(14),M.vertexTangents&&o.enable(15),M.anisotropy&&o.enable(16),M.alphaHash&&o.enable(17),M.batching&&o.enable(18),M.dispersion&&o.enable(19),M.retroreflection&&o.enable(24),M.diffuseRoughness&&o.enable(25),M.batchingColor&&o.enable(20),M.gradientMap&&o.enable(21),M.packedNormalMap&&o.enable(22),M.vertexNormals&&o.enable(23),x.push(o.mask),o.disableAll(),M.fog&&o.enable(0),M.useFog&&o.enable(1),M.flatShading&&o.enable(2),M.logarithmicDepthBuffer&&o.enable(3),M.reversedDepthBuffer&&o.enable(4),M.skinning&&o.enable(5),M.morphTargets&&o.enable(6),M.morphNormals&&o.enable(7),M.morphColors&&o.enable(8),M.premultipliedAlpha&&o.enable(9),M.shadowMapEnabled&&o.enable(10),M.doubleSided&&o.enable(11),M.flipSided&&o.enable(12),M.useDepthPacking&&o.enable(13),M.dithering&&o.enable(14),M.transmission&&o.enable(15),M.sheen&&o.enable(16),M.opaque&&o.enable(17),M.pointsUvs&&o.enable(18),M.decodeVideoTexture&&o.enable(19),M.decodeVideoTextureEmissive&&o.enable(20),M.alphaToCoverage&&o.enable(21),M.numLightProbeGrids>0&&o.enable(22),M.hasPositionAttribute&&o.enable(23),x.push(o.mask)}function b(x){let M=d[x.type],U;if(M){let P=Wn[M];U=ap.clone(P.uniforms)}else U=x.uniforms;return U}function E(x,M){let U=h.get(M);return U!==void 0?++U.usedTimes:(U=new G_(i,M,x,s),c.push(U),h.set(M,U)),U}function S(x){if(--x.usedTimes===0){let M=c.indexOf(x);c[M]=c[c.length-1],c.pop(),h.delete(x.cacheKey),x.destroy()}}function A(x){a.remove(x)}function T(){a.dispose()}return{getParameters:g,getProgramCacheKey:y,getUniforms:b,acquireProgram:E,releaseProgram:S,releaseShaderCache:A,programs:c,dispose:T}}function q_(){let i=new WeakMap;function t(o){return i.has(o)}function e(o){let a=i.get(o);return a===void 0&&(a={},i.set(o,a)),a}function n(o){i.delete(o)}function s(o,a,l){i.get(o)[a]=l}function r(){i=new WeakMap}return{has:t,get:e,remove:n,update:s,dispose:r}}function Y_(i,t){return i.groupOrder!==t.groupOrder?i.groupOrder-t.groupOrder:i.renderOrder!==t.renderOrder?i.renderOrder-t.renderOrder:i.material.id!==t.material.id?i.material.id-t.material.id:i.materialVariant!==t.materialVariant?i.materialVariant-t.materialVariant:i.z!==t.z?i.z-t.z:i.id-t.id}function Ap(i,t){return i.groupOrder!==t.groupOrder?i.groupOrder-t.groupOrder:i.renderOrder!==t.renderOrder?i.renderOrder-t.renderOrder:i.z!==t.z?t.z-i.z:i.id-t.id}function Cp(){let i=[],t=0,e=[],n=[],s=[];function r(){t=0,e.length=0,n.length=0,s.length=0}function o(d){let f=0;return d.isInstancedMesh&&(f+=2),d.isSkinnedMesh&&(f+=1),f}function a(d,f,g,y,m,p){let b=i[t];return b===void 0?(b={id:d.id,object:d,geometry:f,material:g,materialVariant:o(d),groupOrder:y,renderOrder:d.renderOrder,z:m,group:p},i[t]=b):(b.id=d.id,b.object=d,b.geometry=f,b.material=g,b.materialVariant=o(d),b.groupOrder=y,b.renderOrder=d.renderOrder,b.z=m,b.group=p),t++,b}function l(d,f,g,y,m,p,b){b.reversedDepth===!0&&(m=-m);let E=a(d,f,g,y,m,p);g.transmission>0?n.push(E):g.transparent===!0?s.push(E):e.push(E)}function c(d,f,g,y,m,p){let b=a(d,f,g,y,m,p);g.transmission>0?n.unshift(b):g.transparent===!0?s.unshift(b):e.unshift(b)}function h(d,f){e.length>1&&e.sort(d||Y_),n.length>1&&n.sort(f||Ap),s.length>1&&s.sort(f||Ap)}function u(){for(let d=t,f=i.length;d<f;d++){let g=i[d];if(g.id===null)break;g.id=null,g.object=null,g.geometry=null,g.material=null,g.group=null}}return{opaque:e,transmissive:n,transparent:s,init:r,push:l,unshift:c,finish:u,sort:h}}function Z_(){let i=new WeakMap;function t(n,s){let r=i.get(n),o;return r===void 0?(o=new Cp,i.set(n,[o])):s>=r.length?(o=new Cp,r.push(o)):o=r[s],o}function e(){i=new WeakMap}return{get:t,dispose:e}}function K_(){let i={};return{get:function(t){if(i[t.id]!==void 0)return i[t.id];let e;switch(t.type){case"SunLight":case"DirectionalLight":e={direction:new I,color:new Dt};break;case"SpotLight":e={position:new I,direction:new I,color:new Dt,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case"PointLight":e={position:new I,color:new Dt,distance:0,decay:0};break;case"HemisphereLight":e={direction:new I,skyColor:new Dt,groundColor:new Dt};break;case"RectAreaLight":e={color:new Dt,position:new I,halfWidth:new I,halfHeight:new I};break}return i[t.id]=e,e}}}function J_(){let i={};return{get:function(t){if(i[t.id]!==void 0)return i[t.id];let e;switch(t.type){case"SunLight":case"DirectionalLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new Nt};break;case"SpotLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new Nt};break;case"PointLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new Nt,shadowCameraNear:1,shadowCameraFar:1e3};break}return i[t.id]=e,e}}}var j_=0;function Q_(i,t){return(t.castShadow?2:0)-(i.castShadow?2:0)+(t.map?1:0)-(i.map?1:0)}function tb(i){let t=new K_,e=J_(),n={version:0,hash:{sunLength:-1,directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numSunShadows:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],sun:[],sunShadow:[],sunShadowMap:[],sunShadowMatrix:[],sunShadowCascade:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let c=0;c<9;c++)n.probe.push(new I);let s=new I,r=new Zt,o=new Zt;function a(c){let h=0,u=0,d=0;for(let F=0;F<9;F++)n.probe[F].set(0,0,0);let f=0,g=0,y=0,m=0,p=0,b=0,E=0,S=0,A=0,T=0,x=0,M=0,U=0,P=0;c.sort(Q_);for(let F=0,H=c.length;F<H;F++){let L=c[F],W=L.color,q=L.intensity,G=L.distance,it=null;if(L.shadow&&L.shadow.map&&(L.shadow.map.texture.format===Di?it=L.shadow.map.texture:it=L.shadow.map.depthTexture||L.shadow.map.texture),L.isAmbientLight)h+=W.r*q,u+=W.g*q,d+=W.b*q;else if(L.isLightProbe){for(let $=0;$<9;$++)n.probe[$].addScaledVector(L.sh.coefficients[$],q);P++}else if(L.isSunLight){let $=t.get(L);if($.color.copy(L.color).multiplyScalar(L.intensity),L.castShadow){let Q=L.shadow,et=e.get(L);et.shadowIntensity=Q.intensity,et.shadowBias=Q.bias,et.shadowNormalBias=Q.normalBias,et.shadowRadius=Q.radius,et.shadowMapSize.copy(Q.mapSize).multiply(Q.getFrameExtents()),n.sunShadow[g]=et,n.sunShadowMap[g]=it;let St=Q.getViewportCount();for(let Bt=0;Bt<St;Bt++)n.sunShadowMatrix[y+Bt]=Q.getMatrix(Bt),n.sunShadowCascade[y+Bt]=Q._cascadeData[Bt];y+=St,g++}n.sun[f]=$,f++}else if(L.isDirectionalLight){let $=t.get(L);if($.color.copy(L.color).multiplyScalar(L.intensity),L.castShadow){let Q=L.shadow,et=e.get(L);et.shadowIntensity=Q.intensity,et.shadowBias=Q.bias,et.shadowNormalBias=Q.normalBias,et.shadowRadius=Q.radius,et.shadowMapSize=Q.mapSize,n.directionalShadow[m]=et,n.directionalShadowMap[m]=it,n.directionalShadowMatrix[m]=L.shadow.matrix,A++}n.directional[m]=$,m++}else if(L.isSpotLight){let $=t.get(L);$.position.setFromMatrixPosition(L.matrixWorld),$.color.copy(W).multiplyScalar(q),$.distance=G,$.coneCos=Math.cos(L.angle),$.penumbraCos=Math.cos(L.angle*(1-L.penumbra)),$.decay=L.decay,n.spot[b]=$;let Q=L.shadow;if(L.map&&(n.spotLightMap[M]=L.map,M++,Q.updateMatrices(L),L.castShadow&&U++),n.spotLightMatrix[b]=Q.matrix,L.castShadow){let et=e.get(L);et.shadowIntensity=Q.intensity,et.shadowBias=Q.bias,et.shadowNormalBias=Q.normalBias,et.shadowRadius=Q.radius,et.shadowMapSize=Q.mapSize,n.spotShadow[b]=et,n.spotShadowMap[b]=it,x++}b++}else if(L.isRectAreaLight){let $=t.get(L);$.color.copy(W).multiplyScalar(q),$.halfWidth.set(L.width*.5,0,0),$.halfHeight.set(0,L.height*.5,0),n.rectArea[E]=$,E++}else if(L.isPointLight){let $=t.get(L);if($.color.copy(L.color).multiplyScalar(L.intensity),$.distance=L.distance,$.decay=L.decay,L.castShadow){let Q=L.shadow,et=e.get(L);et.shadowIntensity=Q.intensity,et.shadowBias=Q.bias,et.shadowNormalBias=Q.normalBias,et.shadowRadius=Q.radius,et.shadowMapSize=Q.mapSize,et.shadowCameraNear=Q.camera.near,et.shadowCameraFar=Q.camera.far,n.pointShadow[p]=et,n.pointShadowMap[p]=it,n.pointShadowMatrix[p]=L.shadow.matrix,T++}n.point[p]=$,p++}else if(L.isHemisphereLight){let $=t.get(L);$.skyColor.copy(L.color).multiplyScalar(q),$.groundColor.copy(L.groundColor).multiplyScalar(q),n.hemi[S]=$,S++}}E>0&&(i.has("OES_texture_float_linear")===!0?(n.rectAreaLTC1=mt.LTC_FLOAT_1,n.rectAreaLTC2=mt.LTC_FLOAT_2):(n.rectAreaLTC1=mt.LTC_HALF_1,n.rectAreaLTC2=mt.LTC_HALF_2)),n.ambient[0]=h,n.ambient[1]=u,n.ambient[2]=d;let O=n.hash;(O.sunLength!==f||O.directionalLength!==m||O.pointLength!==p||O.spotLength!==b||O.rectAreaLength!==E||O.hemiLength!==S||O.numSunShadows!==g||O.numDirectionalShadows!==A||O.numPointShadows!==T||O.numSpotShadows!==x||O.numSpotMaps!==M||O.numLightProbes!==P)&&(n.sun.length=f,n.directional.length=m,n.spot.length=b,n.rectArea.length=E,n.point.length=p,n.hemi.length=S,n.sunShadow.length=g,n.sunShadowMap.length=g,n.sunShadowMatrix.length=y,n.sunShadowCascade.length=y,n.directionalShadow.length=A,n.directionalShadowMap.length=A,n.directionalShadowMatrix.length=A,n.pointShadow.length=T,n.pointShadowMap.length=T,n.pointShadowMatrix.length=T,n.spotShadow.length=x,n.spotShadowMap.length=x,n.spotLightMatrix.length=x+M-U,n.spotLightMap.length=M,n.numSpotLightShadowsWithMaps=U,n.numLightProbes=P,O.sunLength=f,O.directionalLength=m,O.pointLength=p,O.spotLength=b,O.rectAreaLength=E,O.hemiLength=S,O.numSunShadows=g,O.numDirectionalShadows=A,O.numPointShadows=T,O.numSpotShadows=x,O.numSpotMaps=M,O.numLightProbes=P,n.version=j_++)}function l(c,h){let u=0,d=0,f=0,g=0,y=0,m=0,p=h.matrixWorldInverse;for(let b=0,E=c.length;b<E;b++){let S=c[b];if(S.isSunLight){let A=n.sun[u];A.direction.setFromMatrixPosition(S.matrixWorld),A.direction.transformDirection(p),u++}else if(S.isDirectionalLight){let A=n.directional[d];A.direction.setFromMatrixPosition(S.matrixWorld),s.setFromMatrixPosition(S.target.matrixWorld),A.direction.sub(s),A.direction.transformDirection(p),d++}else if(S.isSpotLight){let A=n.spot[g];A.position.setFromMatrixPosition(S.matrixWorld),A.position.applyMatrix4(p),A.direction.setFromMatrixPosition(S.matrixWorld),s.setFromMatrixPosition(S.target.matrixWorld),A.direction.sub(s),A.direction.transformDirection(p),g++}else if(S.isRectAreaLight){let A=n.rectArea[y];A.position.setFromMatrixPosition(S.matrixWorld),A.position.applyMatrix4(p),o.identity(),r.copy(S.matrixWorld),r.premultiply(p),o.extractRotation(r),A.halfWidth.set(S.width*.5,0,0),A.halfHeight.set(0,S.height*.5,0),A.halfWidth.applyMatrix4(o),A.halfHeight.applyMatrix4(o),y++}else if(S.isPointLight){let A=n.point[f];A.position.setFromMatrixPosition(S.matrixWorld),A.position.applyMatrix4(p),f++}else if(S.isHemisphereLight){let A=n.hemi[m];A.direction.setFromMatrixPosition(S.matrixWorld),A.direction.transformDirection(p),m++}}}return{setup:a,setupView:l,state:n}}function Rp(i){let t=new tb(i),e=[],n=[],s=[];function r(u){h.camera=u,e.length=0,n.length=0,s.length=0}function o(u){u.isLightProbeGrid?s.push(u):e.push(u)}function a(u){n.push(u)}function l(){t.setup(e),s.sort((u,d)=>u.priority-d.priority||u.id-d.id)}function c(u){t.setupView(e,u)}let h={lightsArray:e,shadowsArray:n,lightProbeGridArray:s,camera:null,lights:t,transmissionRenderTarget:{},textureUnits:0};return{init:r,state:h,setupLights:l,setupLightsView:c,pushLight:o,pushShadow:a}}function eb(i){let t=new WeakMap;function e(s,r=0){let o=t.get(s),a;return o===void 0?(a=new Rp(i),t.set(s,[a])):r>=o.length?(a=new Rp(i),o.push(a)):a=o[r],a}function n(){t=new WeakMap}return{get:e,dispose:n}}var nb=`void main() {
	gl_Position = vec4( position, 1.0 );
}`,ib=`uniform sampler2D shadow_pass;
uniform vec2 resolution;
uniform float radius;
void main() {
	const float samples = float( VSM_SAMPLES );
	float mean = 0.0;
	float squared_mean = 0.0;
	float uvStride = samples <= 1.0 ? 0.0 : 2.0 / ( samples - 1.0 );
	float uvStart = samples <= 1.0 ? 0.0 : - 1.0;
	for ( float i = 0.0; i < samples; i ++ ) {
		float uvOffset = uvStart + i * uvStride;
		#ifdef HORIZONTAL_PASS
			vec2 distribution = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( uvOffset, 0.0 ) * radius ) / resolution ).rg;
			mean += distribution.x;
			squared_mean += distribution.y * distribution.y + distribution.x * distribution.x;
		#else
			float depth = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( 0.0, uvOffset ) * radius ) / resolution ).r;
			mean += depth;
			squared_mean += depth * depth;
		#endif
	}
	mean = mean / samples;
	squared_mean = squared_mean / samples;
	float std_dev = sqrt( max( 0.0, squared_mean - mean * mean ) );
	gl_FragColor = vec4( mean, std_dev, 0.0, 1.0 );
}`,sb=[new I(1,0,0),new I(-1,0,0),new I(0,1,0),new I(0,-1,0),new I(0,0,1),new I(0,0,-1)],rb=[new I(0,-1,0),new I(0,-1,0),new I(0,0,1),new I(0,0,-1),new I(0,-1,0),new I(0,-1,0)],Pp=new Zt,$r=new I,Wh=new I;function ob(i,t,e){let n=new Ei,s=new Nt,r=new Nt,o=new me,a=new Ia,l=new La,c={},h=e.maxTextureSize,u={[Ni]:Je,[Je]:Ni,[hn]:hn},d=new Vn({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new Nt},radius:{value:4}},vertexShader:nb,fragmentShader:ib}),f=d.clone();f.defines.HORIZONTAL_PASS=1;let g=new Te;g.setAttribute("position",new qe(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));let y=new Ke(g,d),m=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=es;let p=this.type;this.render=function(T,x,M){if(m.enabled===!1||m.autoUpdate===!1&&m.needsUpdate===!1||T.length===0)return;this.type===Sf&&(Ct("WebGLShadowMap: PCFSoftShadowMap has been removed. Using PCFShadowMap instead."),this.type=es);let U=i.getRenderTarget(),P=i.getActiveCubeFace(),O=i.getActiveMipmapLevel(),F=i.state;F.setBlending(ns),F.buffers.depth.getReversed()===!0?F.buffers.color.setClear(0,0,0,0):F.buffers.color.setClear(1,1,1,1),F.buffers.depth.setTest(!0),F.setScissorTest(!1);let H=p!==this.type;H&&x.traverse(function(L){L.material&&(Array.isArray(L.material)?L.material.forEach(W=>W.needsUpdate=!0):L.material.needsUpdate=!0)});for(let L=0,W=T.length;L<W;L++){let q=T[L],G=q.shadow;if(G===void 0){Ct("WebGLShadowMap:",q,"has no shadow.");continue}if(G.autoUpdate===!1&&G.needsUpdate===!1)continue;s.copy(G.mapSize);let it=G.getFrameExtents();s.multiply(it),r.copy(G.mapSize),(s.x>h||s.y>h)&&(s.x>h&&(r.x=Math.floor(h/it.x),s.x=r.x*it.x,G.mapSize.x=r.x),s.y>h&&(r.y=Math.floor(h/it.y),s.y=r.y*it.y,G.mapSize.y=r.y));let $=i.state.buffers.depth.getReversed();if(G.camera._reversedDepth=$,G.map===null||H===!0){if(G.map!==null&&(G.map.depthTexture!==null&&(G.map.depthTexture.dispose(),G.map.depthTexture=null),G.map.dispose()),this.type===Gs){if(q.isPointLight){Ct("WebGLShadowMap: VSM shadow maps are not supported for PointLights. Use PCF or BasicShadowMap instead.");continue}G.map=new ln(s.x,s.y,{format:Di,type:Ln,minFilter:Ye,magFilter:Ye,generateMipmaps:!1}),G.map.texture.name=q.name+".shadowMap",G.map.depthTexture=new ci(s.x,s.y,_n),G.map.depthTexture.name=q.name+".shadowMapDepth",G.map.depthTexture.format=oi,G.map.depthTexture.compareFunction=null,G.map.depthTexture.minFilter=De,G.map.depthTexture.magFilter=De}else q.isPointLight?(G.map=new Yr(s.x),G.map.depthTexture=new Sr(s.x,In)):(G.map=new ln(s.x,s.y),G.map.depthTexture=new ci(s.x,s.y,In)),G.map.depthTexture.name=q.name+".shadowMap",G.map.depthTexture.format=oi,this.type===es?(G.map.depthTexture.compareFunction=$?Ph:Rh,G.map.depthTexture.minFilter=Ye,G.map.depthTexture.magFilter=Ye):(G.map.depthTexture.compareFunction=null,G.map.depthTexture.minFilter=De,G.map.depthTexture.magFilter=De);G.camera.updateProjectionMatrix()}G.map.isWebGLCubeRenderTarget!==!0&&(G.map.width!==s.x||G.map.height!==s.y)&&G.map.setSize(s.x,s.y);let Q=G.map.isWebGLCubeRenderTarget?6:G.getViewportCount();q.isPointLight!==!0&&G.updateMatrices(q,M);let et=(G.camera.layers.mask&4294967294)!==0?G.camera.layers:M.layers;for(let St=0;St<Q;St++){let Bt=G.getCamera(St);if(q.isPointLight){let K=G.camera,gt=G.matrix,_t=q.distance||K.far;_t!==K.far&&(K.far=_t,K.updateProjectionMatrix()),$r.setFromMatrixPosition(q.matrixWorld),K.position.copy($r),Wh.copy(K.position),Wh.add(sb[St]),K.up.copy(rb[St]),K.lookAt(Wh),K.updateMatrixWorld(),gt.makeTranslation(-$r.x,-$r.y,-$r.z),Pp.multiplyMatrices(K.projectionMatrix,K.matrixWorldInverse),G._frustum.setFromProjectionMatrix(Pp,K.coordinateSystem,K.reversedDepth)}if(G.map.isWebGLCubeRenderTarget)i.setRenderTarget(G.map,St),i.clear();else{St===0&&(i.setRenderTarget(G.map),i.clear());let K=G.getViewport(St);o.set(r.x*K.x,r.y*K.y,r.x*K.z,r.y*K.w),F.viewport(o)}n=G.getFrustum(St),S(x,M,Bt,q,et,this.type)}G.isPointLightShadow!==!0&&this.type===Gs&&b(G,M),G.needsUpdate=!1}p=this.type,m.needsUpdate=!1,i.setRenderTarget(U,P,O)};function b(T,x){let M=t.update(y);d.defines.VSM_SAMPLES!==T.blurSamples&&(d.defines.VSM_SAMPLES=T.blurSamples,f.defines.VSM_SAMPLES=T.blurSamples,d.needsUpdate=!0,f.needsUpdate=!0),T.mapPass===null?T.mapPass=new ln(s.x,s.y,{format:Di,type:Ln}):(T.mapPass.width!==T.map.width||T.mapPass.height!==T.map.height)&&T.mapPass.setSize(T.map.width,T.map.height),d.uniforms.shadow_pass.value=T.map.depthTexture,d.uniforms.resolution.value.set(T.map.width,T.map.height),d.uniforms.radius.value=T.radius,i.setRenderTarget(T.mapPass),i.clear(),i.renderBufferDirect(x,null,M,d,y,null),f.uniforms.shadow_pass.value=T.mapPass.texture,f.uniforms.resolution.value.set(T.map.width,T.map.height),f.uniforms.radius.value=T.radius,i.setRenderTarget(T.map),i.clear(),i.renderBufferDirect(x,null,M,f,y,null)}function E(T,x,M,U){let P=null,O=M.isPointLight===!0?T.customDistanceMaterial:T.customDepthMaterial;if(O!==void 0)P=O;else if(P=M.isPointLight===!0?l:a,i.localClippingEnabled&&x.clipShadows===!0&&Array.isArray(x.clippingPlanes)&&x.clippingPlanes.length!==0||x.displacementMap&&x.displacementScale!==0||x.alphaMap&&x.alphaTest>0||x.map&&x.alphaTest>0||x.alphaToCoverage===!0){let F=P.uuid,H=x.uuid,L=c[F];L===void 0&&(L={},c[F]=L);let W=L[H];W===void 0&&(W=P.clone(),L[H]=W,x.addEventListener("dispose",A)),P=W}if(P.visible=x.visible,P.wireframe=x.wireframe,U===Gs?P.side=x.shadowSide!==null?x.shadowSide:x.side:P.side=x.shadowSide!==null?x.shadowSide:u[x.side],P.alphaMap=x.alphaMap,P.alphaTest=x.alphaToCoverage===!0?.5:x.alphaTest,P.map=x.map,P.clipShadows=x.clipShadows,P.clippingPlanes=x.clippingPlanes,P.clipIntersection=x.clipIntersection,P.displacementMap=x.displacementMap,P.displacementScale=x.displacementScale,P.displacementBias=x.displacementBias,P.wireframeLinewidth=x.wireframeLinewidth,P.linewidth=x.linewidth,M.isPointLight===!0&&P.isMeshDistanceMaterial===!0){let F=i.properties.get(P);F.light=M}return P}function S(T,x,M,U,P,O){if(T.visible===!1)return;if(T.layers.test(P)&&(T.isMesh||T.isLine||T.isPoints)&&(T.castShadow||T.receiveShadow&&O===Gs)&&(!T.frustumCulled||T.intersectsFrustum(n))){T.modelViewMatrix.multiplyMatrices(M.matrixWorldInverse,T.matrixWorld);let L=t.update(T),W=T.material;if(Array.isArray(W)){let q=L.groups;for(let G=0,it=q.length;G<it;G++){let $=q[G],Q=W[$.materialIndex];if(Q&&Q.visible){let et=E(T,Q,U,O);T.onBeforeShadow(i,T,x,M,L,et,$),i.renderBufferDirect(M,null,L,et,T,$),T.onAfterShadow(i,T,x,M,L,et,$)}}}else if(W.visible){let q=E(T,W,U,O);T.onBeforeShadow(i,T,x,M,L,q,null),i.renderBufferDirect(M,null,L,q,T,null),T.onAfterShadow(i,T,x,M,L,q,null)}}let H=T.children;for(let L=0,W=H.length;L<W;L++)S(H[L],x,M,U,P,O)}function A(T){T.target.removeEventListener("dispose",A);for(let M in c){let U=c[M],P=T.target.uuid;P in U&&(U[P].dispose(),delete U[P])}}}function ab(i,t){function e(){let R=!1,J=new me,X=null,ct=new me(0,0,0,0);return{setMask:function(rt){X!==rt&&!R&&(i.colorMask(rt,rt,rt,rt),X=rt)},setLocked:function(rt){R=rt},setClear:function(rt,at,Tt,Wt,st){st===!0&&(rt*=Wt,at*=Wt,Tt*=Wt),J.set(rt,at,Tt,Wt),ct.equals(J)===!1&&(i.clearColor(rt,at,Tt,Wt),ct.copy(J))},reset:function(){R=!1,X=null,ct.set(-1,0,0,0)}}}function n(){let R=!1,J=!1,X=null,ct=null,rt=null;return{setReversed:function(at){if(J!==at){let Tt=t.get("EXT_clip_control");at?Tt.clipControlEXT(Tt.LOWER_LEFT_EXT,Tt.ZERO_TO_ONE_EXT):Tt.clipControlEXT(Tt.LOWER_LEFT_EXT,Tt.NEGATIVE_ONE_TO_ONE_EXT),J=at;let Wt=rt;rt=null,this.setClear(Wt)}},getReversed:function(){return J},setTest:function(at){at?xt(i.DEPTH_TEST):Ht(i.DEPTH_TEST)},setMask:function(at){X!==at&&!R&&(i.depthMask(at),X=at)},setFunc:function(at){if(J&&(at=ip[at]),ct!==at){switch(at){case pa:i.depthFunc(i.NEVER);break;case ma:i.depthFunc(i.ALWAYS);break;case ga:i.depthFunc(i.LESS);break;case Ls:i.depthFunc(i.LEQUAL);break;case xa:i.depthFunc(i.EQUAL);break;case va:i.depthFunc(i.GEQUAL);break;case ya:i.depthFunc(i.GREATER);break;case _a:i.depthFunc(i.NOTEQUAL);break;default:i.depthFunc(i.LEQUAL)}ct=at}},setLocked:function(at){R=at},setClear:function(at){rt!==at&&(rt=at,J&&(at=1-at),i.clearDepth(at))},reset:function(){R=!1,X=null,ct=null,rt=null,J=!1}}}function s(){let R=!1,J=null,X=null,ct=null,rt=null,at=null,Tt=null,Wt=null,st=null;return{setTest:function(At){R||(At?xt(i.STENCIL_TEST):Ht(i.STENCIL_TEST))},setMask:function(At){J!==At&&!R&&(i.stencilMask(At),J=At)},setFunc:function(At,Gt,pt){(X!==At||ct!==Gt||rt!==pt)&&(i.stencilFunc(At,Gt,pt),X=At,ct=Gt,rt=pt)},setOp:function(At,Gt,pt){(at!==At||Tt!==Gt||Wt!==pt)&&(i.stencilOp(At,Gt,pt),at=At,Tt=Gt,Wt=pt)},setLocked:function(At){R=At},setClear:function(At){st!==At&&(i.clearStencil(At),st=At)},reset:function(){R=!1,J=null,X=null,ct=null,rt=null,at=null,Tt=null,Wt=null,st=null}}}let r=new e,o=new n,a=new s,l={},c=new WeakMap,h={},u={},d={},f=new WeakMap,g=[],y=null,m=!1,p=null,b=null,E=null,S=null,A=null,T=null,x=null,M=new Dt(0,0,0),U=0,P=!1,O=null,F=null,H=null,L=null,W=null,q=i.getParameter(i.MAX_COMBINED_TEXTURE_IMAGE_UNITS),G=!1,it=0,$=i.getParameter(i.VERSION);$.indexOf("WebGL")!==-1?(it=parseFloat(/^WebGL (\d)/.exec($)[1]),G=it>=1):$.indexOf("OpenGL ES")!==-1&&(it=parseFloat(/^OpenGL ES (\d)/.exec($)[1]),G=it>=2);let Q=null,et={},St=i.getParameter(i.SCISSOR_BOX),Bt=i.getParameter(i.VIEWPORT),K=new me().fromArray(St),gt=new me().fromArray(Bt);function _t(R,J,X,ct){let rt=new Uint8Array(4),at=i.createTexture();i.bindTexture(R,at),i.texParameteri(R,i.TEXTURE_MIN_FILTER,i.NEAREST),i.texParameteri(R,i.TEXTURE_MAG_FILTER,i.NEAREST);for(let Tt=0;Tt<X;Tt++)R===i.TEXTURE_3D||R===i.TEXTURE_2D_ARRAY?i.texImage3D(J,0,i.RGBA,1,1,ct,0,i.RGBA,i.UNSIGNED_BYTE,rt):i.texImage2D(J+Tt,0,i.RGBA,1,1,0,i.RGBA,i.UNSIGNED_BYTE,rt);return at}let Rt={};Rt[i.TEXTURE_2D]=_t(i.TEXTURE_2D,i.TEXTURE_2D,1),Rt[i.TEXTURE_CUBE_MAP]=_t(i.TEXTURE_CUBE_MAP,i.TEXTURE_CUBE_MAP_POSITIVE_X,6),Rt[i.TEXTURE_2D_ARRAY]=_t(i.TEXTURE_2D_ARRAY,i.TEXTURE_2D_ARRAY,1,1),Rt[i.TEXTURE_3D]=_t(i.TEXTURE_3D,i.TEXTURE_3D,1,1),r.setClear(0,0,0,1),o.setClear(1),a.setClear(0),xt(i.DEPTH_TEST),o.setFunc(Ls),je(!1),ge(ch),xt(i.CULL_FACE),Ue(ns);function xt(R){h[R]!==!0&&(i.enable(R),h[R]=!0)}function Ht(R){h[R]!==!1&&(i.disable(R),h[R]=!1)}function _e(R,J){return d[R]!==J?(i.bindFramebuffer(R,J),d[R]=J,R===i.DRAW_FRAMEBUFFER&&(d[i.FRAMEBUFFER]=J),R===i.FRAMEBUFFER&&(d[i.DRAW_FRAMEBUFFER]=J),!0):!1}function It(R,J){let X=g,ct=!1;if(R){X=f.get(J),X===void 0&&(X=[],f.set(J,X));let rt=R.textures;if(X.length!==rt.length||X[0]!==i.COLOR_ATTACHMENT0){for(let at=0,Tt=rt.length;at<Tt;at++)X[at]=i.COLOR_ATTACHMENT0+at;X.length=rt.length,ct=!0}}else X[0]!==i.BACK&&(X[0]=i.BACK,ct=!0);ct&&i.drawBuffers(X)}function re(R){return y!==R?(i.useProgram(R),y=R,!0):!1}let le={[is]:i.FUNC_ADD,[Tf]:i.FUNC_SUBTRACT,[Ef]:i.FUNC_REVERSE_SUBTRACT};le[Af]=i.MIN,le[Cf]=i.MAX;let Kt={[Rf]:i.ZERO,[Pf]:i.ONE,[If]:i.SRC_COLOR,[fh]:i.SRC_ALPHA,[Ff]:i.SRC_ALPHA_SATURATE,[Uf]:i.DST_COLOR,[Nf]:i.DST_ALPHA,[Lf]:i.ONE_MINUS_SRC_COLOR,[ph]:i.ONE_MINUS_SRC_ALPHA,[Of]:i.ONE_MINUS_DST_COLOR,[Df]:i.ONE_MINUS_DST_ALPHA,[kf]:i.CONSTANT_COLOR,[Bf]:i.ONE_MINUS_CONSTANT_COLOR,[zf]:i.CONSTANT_ALPHA,[Vf]:i.ONE_MINUS_CONSTANT_ALPHA};function Ue(R,J,X,ct,rt,at,Tt,Wt,st,At){if(R===ns){m===!0&&(Ht(i.BLEND),m=!1);return}if(m===!1&&(xt(i.BLEND),m=!0),R!==wf){if(R!==p||At!==P){if((b!==is||A!==is)&&(i.blendEquation(i.FUNC_ADD),b=is,A=is),At)switch(R){case Ws:i.blendFuncSeparate(i.ONE,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case hh:i.blendFunc(i.ONE,i.ONE);break;case uh:i.blendFuncSeparate(i.ZERO,i.ONE_MINUS_SRC_COLOR,i.ZERO,i.ONE);break;case dh:i.blendFuncSeparate(i.DST_COLOR,i.ONE_MINUS_SRC_ALPHA,i.ZERO,i.ONE);break;default:Ut("WebGLState: Invalid blending: ",R);break}else switch(R){case Ws:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case hh:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE,i.ONE,i.ONE);break;case uh:Ut("WebGLState: SubtractiveBlending requires material.premultipliedAlpha = true");break;case dh:Ut("WebGLState: MultiplyBlending requires material.premultipliedAlpha = true");break;default:Ut("WebGLState: Invalid blending: ",R);break}E=null,S=null,T=null,x=null,M.set(0,0,0),U=0,p=R,P=At}return}rt=rt||J,at=at||X,Tt=Tt||ct,(J!==b||rt!==A)&&(i.blendEquationSeparate(le[J],le[rt]),b=J,A=rt),(X!==E||ct!==S||at!==T||Tt!==x)&&(i.blendFuncSeparate(Kt[X],Kt[ct],Kt[at],Kt[Tt]),E=X,S=ct,T=at,x=Tt),(Wt.equals(M)===!1||st!==U)&&(i.blendColor(Wt.r,Wt.g,Wt.b,st),M.copy(Wt),U=st),p=R,P=!1}function Se(R,J){R.side===hn?Ht(i.CULL_FACE):xt(i.CULL_FACE);let X=R.side===Je;J&&(X=!X),je(X),R.blending===Ws&&R.transparent===!1?Ue(ns):Ue(R.blending,R.blendEquation,R.blendSrc,R.blendDst,R.blendEquationAlpha,R.blendSrcAlpha,R.blendDstAlpha,R.blendColor,R.blendAlpha,R.premultipliedAlpha),o.setFunc(R.depthFunc),o.setTest(R.depthTest),o.setMask(R.depthWrite),r.setMask(R.colorWrite);let ct=R.stencilWrite;a.setTest(ct),ct&&(a.setMask(R.stencilWriteMask),a.setFunc(R.stencilFunc,R.stencilRef,R.stencilFuncMask),a.setOp(R.stencilFail,R.stencilZFail,R.stencilZPass)),Re(R.polygonOffset,R.polygonOffsetFactor,R.polygonOffsetUnits),R.alphaToCoverage===!0?xt(i.SAMPLE_ALPHA_TO_COVERAGE):Ht(i.SAMPLE_ALPHA_TO_COVERAGE)}function je(R){O!==R&&(R?i.frontFace(i.CW):i.frontFace(i.CCW),O=R)}function ge(R){R!==bf?(xt(i.CULL_FACE),R!==F&&(R===ch?i.cullFace(i.BACK):R===Mf?i.cullFace(i.FRONT):i.cullFace(i.FRONT_AND_BACK))):Ht(i.CULL_FACE),F=R}function Dn(R){R!==H&&(G&&i.lineWidth(R),H=R)}function Re(R,J,X){R?(xt(i.POLYGON_OFFSET_FILL),(L!==J||W!==X)&&(L=J,W=X,o.getReversed()&&(J=-J,X=-X),i.polygonOffset(J,X))):Ht(i.POLYGON_OFFSET_FILL)}function un(R){R?xt(i.SCISSOR_TEST):Ht(i.SCISSOR_TEST)}function dn(R){R===void 0&&(R=i.TEXTURE0+q-1),Q!==R&&(i.activeTexture(R),Q=R)}function fn(R,J,X){X===void 0&&(Q===null?X=i.TEXTURE0+q-1:X=Q);let ct=et[X];ct===void 0&&(ct={type:void 0,texture:void 0},et[X]=ct),(ct.type!==R||ct.texture!==J)&&(Q!==X&&(i.activeTexture(X),Q=X),i.bindTexture(R,J||Rt[R]),ct.type=R,ct.texture=J)}function D(){let R=et[Q];R!==void 0&&R.type!==void 0&&(i.bindTexture(R.type,null),R.type=void 0,R.texture=void 0)}function pn(){try{i.compressedTexImage2D(...arguments)}catch(R){Ut("WebGLState:",R)}}function fe(){try{i.compressedTexImage3D(...arguments)}catch(R){Ut("WebGLState:",R)}}function pe(){try{i.texSubImage2D(...arguments)}catch(R){Ut("WebGLState:",R)}}function ft(){try{i.texSubImage3D(...arguments)}catch(R){Ut("WebGLState:",R)}}function we(){try{i.compressedTexSubImage2D(...arguments)}catch(R){Ut("WebGLState:",R)}}function Pt(){try{i.compressedTexSubImage3D(...arguments)}catch(R){Ut("WebGLState:",R)}}function kt(){try{i.texStorage2D(...arguments)}catch(R){Ut("WebGLState:",R)}}function w(){try{i.texStorage3D(...arguments)}catch(R){Ut("WebGLState:",R)}}function v(){try{i.texImage2D(...arguments)}catch(R){Ut("WebGLState:",R)}}function B(){try{i.texImage3D(...arguments)}catch(R){Ut("WebGLState:",R)}}function nt(R){return u[R]!==void 0?u[R]:i.getParameter(R)}function j(R,J){u[R]!==J&&(i.pixelStorei(R,J),u[R]=J)}function ot(R){K.equals(R)===!1&&(i.scissor(R.x,R.y,R.z,R.w),K.copy(R))}function ut(R){gt.equals(R)===!1&&(i.viewport(R.x,R.y,R.z,R.w),gt.copy(R))}function Y(R,J){let X=c.get(J);X===void 0&&(X=new WeakMap,c.set(J,X));let ct=X.get(R);ct===void 0&&(ct=i.getUniformBlockIndex(J,R.name),i.uniformBlockBinding(J,ct,ct),X.set(R,ct))}function Z(R,J,X){let rt=c.get(J).get(R);l[rt]!==X&&(i.bindBufferBase(i.UNIFORM_BUFFER,rt,X),l[rt]=X)}function lt(){i.disable(i.BLEND),i.disable(i.CULL_FACE),i.disable(i.DEPTH_TEST),i.disable(i.POLYGON_OFFSET_FILL),i.disable(i.SCISSOR_TEST),i.disable(i.STENCIL_TEST),i.disable(i.SAMPLE_ALPHA_TO_COVERAGE),i.blendEquation(i.FUNC_ADD),i.blendFunc(i.ONE,i.ZERO),i.blendFuncSeparate(i.ONE,i.ZERO,i.ONE,i.ZERO),i.blendColor(0,0,0,0),i.colorMask(!0,!0,!0,!0),i.clearColor(0,0,0,0),i.depthMask(!0),i.depthFunc(i.LESS),o.setReversed(!1),i.clearDepth(1),i.stencilMask(4294967295),i.stencilFunc(i.ALWAYS,0,4294967295),i.stencilOp(i.KEEP,i.KEEP,i.KEEP),i.clearStencil(0),i.cullFace(i.BACK),i.frontFace(i.CCW),i.polygonOffset(0,0),i.activeTexture(i.TEXTURE0),i.bindFramebuffer(i.FRAMEBUFFER,null),i.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),i.bindFramebuffer(i.READ_FRAMEBUFFER,null),i.useProgram(null),i.lineWidth(1),i.scissor(0,0,i.canvas.width,i.canvas.height),i.viewport(0,0,i.canvas.width,i.canvas.height),i.pixelStorei(i.PACK_ALIGNMENT,4),i.pixelStorei(i.UNPACK_ALIGNMENT,4),i.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,!1),i.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,!1),i.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,i.BROWSER_DEFAULT_WEBGL),i.pixelStorei(i.PACK_ROW_LENGTH,0),i.pixelStorei(i.PACK_SKIP_PIXELS,0),i.pixelStorei(i.PACK_SKIP_ROWS,0),i.pixelStorei(i.UNPACK_ROW_LENGTH,0),i.pixelStorei(i.UNPACK_IMAGE_HEIGHT,0),i.pixelStorei(i.UNPACK_SKIP_PIXELS,0),i.pixelStorei(i.UNPACK_SKIP_ROWS,0),i.pixelStorei(i.UNPACK_SKIP_IMAGES,0),h={},u={},Q=null,et={},d={},l={},f=new WeakMap,g=[],y=null,m=!1,p=null,b=null,E=null,S=null,A=null,T=null,x=null,M=new Dt(0,0,0),U=0,P=!1,O=null,F=null,H=null,L=null,W=null,K.set(0,0,i.canvas.width,i.canvas.height),gt.set(0,0,i.canvas.width,i.canvas.height),r.reset(),o.reset(),a.reset()}return{buffers:{color:r,depth:o,stencil:a},enable:xt,disable:Ht,bindFramebuffer:_e,drawBuffers:It,useProgram:re,setBlending:Ue,setMaterial:Se,setFlipSided:je,setCullFace:ge,setLineWidth:Dn,setPolygonOffset:Re,setScissorTest:un,activeTexture:dn,bindTexture:fn,unbindTexture:D,compressedTexImage2D:pn,compressedTexImage3D:fe,texImage2D:v,texImage3D:B,pixelStorei:j,getParameter:nt,updateUBOMapping:Y,uniformBlockBinding:Z,texStorage2D:kt,texStorage3D:w,texSubImage2D:pe,texSubImage3D:ft,compressedTexSubImage2D:we,compressedTexSubImage3D:Pt,scissor:ot,viewport:ut,reset:lt}}function lb(i,t,e,n,s,r,o){let a=t.has("WEBGL_multisampled_render_to_texture")?t.get("WEBGL_multisampled_render_to_texture"):null,l=typeof navigator>"u"?!1:/OculusBrowser/g.test(navigator.userAgent),c=new Nt,h=new WeakMap,u=new Set,d,f=new WeakMap,g=new Set,y=new FinalizationRegistry(w=>g.delete(w)),m=!1;try{m=typeof OffscreenCanvas<"u"&&new OffscreenCanvas(1,1).getContext("2d")!==null}catch{}function p(w,v){return m?new OffscreenCanvas(w,v):pr("canvas")}function b(w,v,B){let nt=1,j=kt(w);if((j.width>B||j.height>B)&&(nt=B/Math.max(j.width,j.height)),nt<1)if(typeof HTMLImageElement<"u"&&w instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&w instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&w instanceof ImageBitmap||typeof VideoFrame<"u"&&w instanceof VideoFrame){let ot=Math.floor(nt*j.width),ut=Math.floor(nt*j.height);d===void 0&&(d=p(ot,ut));let Y=v?p(ot,ut):d;return Y.width=ot,Y.height=ut,Y.getContext("2d").drawImage(w,0,0,ot,ut),Ct("WebGLRenderer: Texture has been resized from ("+j.width+"x"+j.height+") to ("+ot+"x"+ut+")."),Y}else return"data"in w&&Ct("WebGLRenderer: Image in DataTexture is too big ("+j.width+"x"+j.height+")."),w;return w}function E(w){return w.generateMipmaps}function S(w){i.generateMipmap(w)}function A(w){return w.isWebGLCubeRenderTarget?i.TEXTURE_CUBE_MAP:w.isWebGL3DRenderTarget?i.TEXTURE_3D:w.isWebGLArrayRenderTarget||w.isCompressedArrayTexture?i.TEXTURE_2D_ARRAY:i.TEXTURE_2D}function T(w,v,B,nt,j,ot=!1){if(w!==null){if(i[w]!==void 0)return i[w];Ct("WebGLRenderer: Attempt to use non-existing WebGL internal format '"+w+"'")}let ut;nt&&(ut=t.get("EXT_texture_norm16"),ut||Ct("WebGLRenderer: Unable to use normalized textures without EXT_texture_norm16 extension"));let Y=v;if(v===i.RED&&(B===i.FLOAT&&(Y=i.R32F),B===i.HALF_FLOAT&&(Y=i.R16F),B===i.UNSIGNED_BYTE&&(Y=i.R8),B===i.UNSIGNED_SHORT&&ut&&(Y=ut.R16_EXT),B===i.SHORT&&ut&&(Y=ut.R16_SNORM_EXT)),v===i.RED_INTEGER&&(B===i.UNSIGNED_BYTE&&(Y=i.R8UI),B===i.UNSIGNED_SHORT&&(Y=i.R16UI),B===i.UNSIGNED_INT&&(Y=i.R32UI),B===i.BYTE&&(Y=i.R8I),B===i.SHORT&&(Y=i.R16I),B===i.INT&&(Y=i.R32I)),v===i.RG&&(B===i.FLOAT&&(Y=i.RG32F),B===i.HALF_FLOAT&&(Y=i.RG16F),B===i.UNSIGNED_BYTE&&(Y=i.RG8),B===i.UNSIGNED_SHORT&&ut&&(Y=ut.RG16_EXT),B===i.SHORT&&ut&&(Y=ut.RG16_SNORM_EXT)),v===i.RG_INTEGER&&(B===i.UNSIGNED_BYTE&&(Y=i.RG8UI),B===i.UNSIGNED_SHORT&&(Y=i.RG16UI),B===i.UNSIGNED_INT&&(Y=i.RG32UI),B===i.BYTE&&(Y=i.RG8I),B===i.SHORT&&(Y=i.RG16I),B===i.INT&&(Y=i.RG32I)),v===i.RGB_INTEGER&&(B===i.UNSIGNED_BYTE&&(Y=i.RGB8UI),B===i.UNSIGNED_SHORT&&(Y=i.RGB16UI),B===i.UNSIGNED_INT&&(Y=i.RGB32UI),B===i.BYTE&&(Y=i.RGB8I),B===i.SHORT&&(Y=i.RGB16I),B===i.INT&&(Y=i.RGB32I)),v===i.RGBA_INTEGER&&(B===i.UNSIGNED_BYTE&&(Y=i.RGBA8UI),B===i.UNSIGNED_SHORT&&(Y=i.RGBA16UI),B===i.UNSIGNED_INT&&(Y=i.RGBA32UI),B===i.BYTE&&(Y=i.RGBA8I),B===i.SHORT&&(Y=i.RGBA16I),B===i.INT&&(Y=i.RGBA32I)),v===i.RGB&&(B===i.UNSIGNED_SHORT&&ut&&(Y=ut.RGB16_EXT),B===i.SHORT&&ut&&(Y=ut.RGB16_SNORM_EXT),B===i.UNSIGNED_INT_5_9_9_9_REV&&(Y=i.RGB9_E5),B===i.UNSIGNED_INT_10F_11F_11F_REV&&(Y=i.R11F_G11F_B10F)),v===i.RGBA){let Z=ot?fr:Qt.getTransfer(j);B===i.FLOAT&&(Y=i.RGBA32F),B===i.HALF_FLOAT&&(Y=i.RGBA16F),B===i.UNSIGNED_BYTE&&(Y=Z===se?i.SRGB8_ALPHA8:i.RGBA8),B===i.UNSIGNED_SHORT&&ut&&(Y=ut.RGBA16_EXT),B===i.SHORT&&ut&&(Y=ut.RGBA16_SNORM_EXT),B===i.UNSIGNED_SHORT_4_4_4_4&&(Y=i.RGBA4),B===i.UNSIGNED_SHORT_5_5_5_1&&(Y=i.RGB5_A1)}return(Y===i.R16F||Y===i.R32F||Y===i.RG16F||Y===i.RG32F||Y===i.RGBA16F||Y===i.RGBA32F)&&t.get("EXT_color_buffer_float"),Y}function x(w,v){let B;return w?v===null||v===In||v===rs?B=i.DEPTH24_STENCIL8:v===_n?B=i.DEPTH32F_STENCIL8:v===$s&&(B=i.DEPTH24_STENCIL8,Ct("DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.")):v===null||v===In||v===rs?B=i.DEPTH_COMPONENT24:v===_n?B=i.DEPTH_COMPONENT32F:v===$s&&(B=i.DEPTH_COMPONENT16),B}function M(w,v){return E(w)===!0||w.isFramebufferTexture&&w.minFilter!==De&&w.minFilter!==Ye?Math.log2(Math.max(v.width,v.height))+1:w.mipmaps.length>0?w.mipmaps.length:w.isCompressedTexture&&Array.isArray(w.image)?v.mipmaps.length:1}function U(w){let v=new WeakRef(w);n.get(w).__ref=v,g.add(v),y.register(w,v,v)}function P(w){let v=n.get(w).__ref;v!==void 0&&(g.delete(v),y.unregister(v))}function O(w){H(w.target)}function F(w){L(w.target)}function H(w){w.removeEventListener("dispose",O),P(w),q(w),w.isVideoTexture&&h.delete(w),w.isHTMLTexture&&u.delete(w)}function L(w){w.removeEventListener("dispose",F),P(w),it(w)}function W(){for(let w of g){let v=w.deref();v!==void 0&&(v.isRenderTarget===!0?L(v):H(v))}g.clear(),u.clear()}function q(w){let v=n.get(w);if(v.__webglInit===void 0)return;let B=w.source,nt=f.get(B);if(nt){let j=nt[v.__cacheKey];j.usedTimes--,j.usedTimes===0&&G(w),Object.keys(nt).length===0&&f.delete(B)}n.remove(w)}function G(w){let v=n.get(w);i.deleteTexture(v.__webglTexture);let B=w.source,nt=f.get(B);delete nt[v.__cacheKey],o.memory.textures--}function it(w){let v=n.get(w);v.__depthDisposeCallback&&v.__depthDisposeCallback();let B=w.depthTexture;if(B&&B.renderTarget===w&&H(B),w.isWebGLCubeRenderTarget)for(let j=0;j<6;j++){if(Array.isArray(v.__webglFramebuffer[j]))for(let ot=0;ot<v.__webglFramebuffer[j].length;ot++)i.deleteFramebuffer(v.__webglFramebuffer[j][ot]);else i.deleteFramebuffer(v.__webglFramebuffer[j]);v.__webglDepthbuffer&&i.deleteRenderbuffer(v.__webglDepthbuffer[j])}else{if(Array.isArray(v.__webglFramebuffer))for(let j=0;j<v.__webglFramebuffer.length;j++)i.deleteFramebuffer(v.__webglFramebuffer[j]);else i.deleteFramebuffer(v.__webglFramebuffer);if(v.__webglDepthbuffer&&i.deleteRenderbuffer(v.__webglDepthbuffer),v.__webglMultisampledFramebuffer&&i.deleteFramebuffer(v.__webglMultisampledFramebuffer),v.__webglColorRenderbuffer)for(let j=0;j<v.__webglColorRenderbuffer.length;j++)v.__webglColorRenderbuffer[j]&&i.deleteRenderbuffer(v.__webglColorRenderbuffer[j]);v.__webglDepthRenderbuffer&&i.deleteRenderbuffer(v.__webglDepthRenderbuffer)}let nt=w.textures;for(let j=0,ot=nt.length;j<ot;j++){let ut=n.get(nt[j]);ut.__webglTexture&&(i.deleteTexture(ut.__webglTexture),o.memory.textures--),n.remove(nt[j])}n.remove(w)}let $=0;function Q(){$=0}function et(){return $}function St(w){$=w}function Bt(){let w=$;return w>=s.maxTextures&&Ct("WebGLTextures: Trying to use "+(w+1)+" texture units while this GPU supports only "+s.maxTextures),$+=1,w}function K(w){let v=[];return v.push(w.wrapS),v.push(w.wrapT),v.push(w.wrapR||0),v.push(w.magFilter),v.push(w.minFilter),v.push(w.anisotropy),v.push(w.internalFormat),v.push(w.format),v.push(w.type),v.push(w.generateMipmaps),v.push(w.mipmapsAutoUpdate),v.push(w.premultiplyAlpha),v.push(w.flipY),v.push(w.unpackAlignment),v.push(w.colorSpace),v.join()}function gt(w,v){let B=n.get(w);if(w.isVideoTexture&&we(w),w.isRenderTargetTexture===!1&&w.isExternalTexture!==!0&&w.version>0&&B.__version!==w.version){let nt=w.image;if(nt===null)Ct("WebGLRenderer: Texture marked for update but no image data found.");else if(nt.complete===!1)Ct("WebGLRenderer: Texture marked for update but image is incomplete");else{Se(B,w,v);return}}else w.isExternalTexture&&(B.__webglTexture=w.sourceTexture?w.sourceTexture:null);e.bindTexture(i.TEXTURE_2D,B.__webglTexture,i.TEXTURE0+v)}function _t(w,v){let B=n.get(w);if(w.isRenderTargetTexture===!1&&w.version>0&&B.__version!==w.version){Se(B,w,v);return}else w.isExternalTexture&&(B.__webglTexture=w.sourceTexture?w.sourceTexture:null);e.bindTexture(i.TEXTURE_2D_ARRAY,B.__webglTexture,i.TEXTURE0+v)}function Rt(w,v){let B=n.get(w);if(w.isRenderTargetTexture===!1&&w.version>0&&B.__version!==w.version){Se(B,w,v);return}e.bindTexture(i.TEXTURE_3D,B.__webglTexture,i.TEXTURE0+v)}function xt(w,v){let B=n.get(w);if(w.version>0&&B.__version!==w.version){je(B,w,v);return}e.bindTexture(i.TEXTURE_CUBE_MAP,B.__webglTexture,i.TEXTURE0+v)}let Ht={[ba]:i.REPEAT,[kn]:i.CLAMP_TO_EDGE,[Ma]:i.MIRRORED_REPEAT},_e={[De]:i.NEAREST,[Wf]:i.NEAREST_MIPMAP_NEAREST,[kr]:i.NEAREST_MIPMAP_LINEAR,[Ye]:i.LINEAR,[Ya]:i.LINEAR_MIPMAP_NEAREST,[hi]:i.LINEAR_MIPMAP_LINEAR},It={[Yf]:i.NEVER,[Ih]:i.ALWAYS,[Zf]:i.LESS,[Rh]:i.LEQUAL,[Kf]:i.EQUAL,[Ph]:i.GEQUAL,[Jf]:i.GREATER,[jf]:i.NOTEQUAL};function re(w,v){if(v.type===_n&&t.has("OES_texture_float_linear")===!1&&(v.magFilter===Ye||v.magFilter===Ya||v.magFilter===kr||v.magFilter===hi||v.minFilter===Ye||v.minFilter===Ya||v.minFilter===kr||v.minFilter===hi)&&Ct("WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device."),i.texParameteri(w,i.TEXTURE_WRAP_S,Ht[v.wrapS]),i.texParameteri(w,i.TEXTURE_WRAP_T,Ht[v.wrapT]),(w===i.TEXTURE_3D||w===i.TEXTURE_2D_ARRAY)&&i.texParameteri(w,i.TEXTURE_WRAP_R,Ht[v.wrapR]),i.texParameteri(w,i.TEXTURE_MAG_FILTER,_e[v.magFilter]),i.texParameteri(w,i.TEXTURE_MIN_FILTER,_e[v.minFilter]),v.compareFunction&&(i.texParameteri(w,i.TEXTURE_COMPARE_MODE,i.COMPARE_REF_TO_TEXTURE),i.texParameteri(w,i.TEXTURE_COMPARE_FUNC,It[v.compareFunction])),t.has("EXT_texture_filter_anisotropic")===!0){if(v.magFilter===De||v.minFilter!==kr&&v.minFilter!==hi||v.type===_n&&t.has("OES_texture_float_linear")===!1)return;if(v.anisotropy>1||n.get(v).__currentAnisotropy){let B=t.get("EXT_texture_filter_anisotropic");i.texParameterf(w,B.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(v.anisotropy,s.getMaxAnisotropy())),n.get(v).__currentAnisotropy=v.anisotropy}}}function le(w,v){let B=!1;w.__webglInit===void 0&&(w.__webglInit=!0,v.addEventListener("dispose",O),U(v));let nt=v.source,j=f.get(nt);j===void 0&&(j={},f.set(nt,j));let ot=K(v);if(ot!==w.__cacheKey){j[ot]===void 0&&(j[ot]={texture:i.createTexture(),usedTimes:0},o.memory.textures++,B=!0),j[ot].usedTimes++;let ut=j[w.__cacheKey];ut!==void 0&&(j[w.__cacheKey].usedTimes--,ut.usedTimes===0&&G(v)),w.__cacheKey=ot,w.__webglTexture=j[ot].texture}return B}function Kt(w,v,B){return Math.floor(Math.floor(w/B)/v)}function Ue(w,v,B,nt){let ot=w.updateRanges;if(ot.length===0)e.texSubImage2D(i.TEXTURE_2D,0,0,0,v.width,v.height,B,nt,v.data);else{ot.sort((R,J)=>R.start-J.start);let ut=0;for(let R=1;R<ot.length;R++){let J=ot[ut],X=ot[R],ct=J.start+J.count,rt=Kt(X.start,v.width,4),at=Kt(J.start,v.width,4);X.start<=ct+1&&rt===at&&Kt(X.start+X.count-1,v.width,4)===rt?J.count=Math.max(J.count,X.start+X.count-J.start):(++ut,ot[ut]=X)}ot.length=ut+1;let Y=e.getParameter(i.UNPACK_ROW_LENGTH),Z=e.getParameter(i.UNPACK_SKIP_PIXELS),lt=e.getParameter(i.UNPACK_SKIP_ROWS);e.pixelStorei(i.UNPACK_ROW_LENGTH,v.width);for(let R=0,J=ot.length;R<J;R++){let X=ot[R],ct=Math.floor(X.start/4),rt=Math.ceil(X.count/4),at=ct%v.width,Tt=Math.floor(ct/v.width),Wt=rt,st=1;e.pixelStorei(i.UNPACK_SKIP_PIXELS,at),e.pixelStorei(i.UNPACK_SKIP_ROWS,Tt),e.texSubImage2D(i.TEXTURE_2D,0,at,Tt,Wt,st,B,nt,v.data)}w.clearUpdateRanges(),e.pixelStorei(i.UNPACK_ROW_LENGTH,Y),e.pixelStorei(i.UNPACK_SKIP_PIXELS,Z),e.pixelStorei(i.UNPACK_SKIP_ROWS,lt)}}function Se(w,v,B){let nt=i.TEXTURE_2D;(v.isDataArrayTexture||v.isCompressedArrayTexture)&&(nt=i.TEXTURE_2D_ARRAY),v.isData3DTexture&&(nt=i.TEXTURE_3D);let j=le(w,v),ot=v.source;e.bindTexture(nt,w.__webglTexture,i.TEXTURE0+B);let ut=n.get(ot);if(ot.version!==ut.__version||j===!0){if(e.activeTexture(i.TEXTURE0+B),(typeof ImageBitmap<"u"&&v.image instanceof ImageBitmap)===!1){let st=Qt.getPrimaries(Qt.workingColorSpace),At=v.colorSpace===di?null:Qt.getPrimaries(v.colorSpace),Gt=v.colorSpace===di||st===At?i.NONE:i.BROWSER_DEFAULT_WEBGL;e.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,v.flipY),e.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,v.premultiplyAlpha),e.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,Gt)}e.pixelStorei(i.UNPACK_ALIGNMENT,v.unpackAlignment);let Z=b(v.image,!1,s.maxTextureSize);Z=Pt(v,Z);let lt=r.convert(v.format,v.colorSpace),R=r.convert(v.type),J=T(v.internalFormat,lt,R,v.normalized,v.colorSpace,v.isVideoTexture);re(nt,v);let X,ct=v.mipmaps,rt=v.isVideoTexture!==!0,at=ut.__version===void 0||j===!0,Tt=ot.dataReady,Wt=M(v,Z);if(v.isDepthTexture)J=x(v.format===ui,v.type),at&&(rt?e.texStorage2D(i.TEXTURE_2D,1,J,Z.width,Z.height):e.texImage2D(i.TEXTURE_2D,0,J,Z.width,Z.height,0,lt,R,null));else if(v.isDataTexture)if(ct.length>0){rt&&at&&e.texStorage2D(i.TEXTURE_2D,Wt,J,ct[0].width,ct[0].height);for(let st=0,At=ct.length;st<At;st++)X=ct[st],rt?Tt&&e.texSubImage2D(i.TEXTURE_2D,st,0,0,X.width,X.height,lt,R,X.data):e.texImage2D(i.TEXTURE_2D,st,J,X.width,X.height,0,lt,R,X.data);v.generateMipmaps=!1}else rt?(at&&e.texStorage2D(i.TEXTURE_2D,Wt,J,Z.width,Z.height),Tt&&Ue(v,Z,lt,R)):e.texImage2D(i.TEXTURE_2D,0,J,Z.width,Z.height,0,lt,R,Z.data);else if(v.isCompressedTexture)if(v.isCompressedArrayTexture){rt&&at&&e.texStorage3D(i.TEXTURE_2D_ARRAY,Wt,J,ct[0].width,ct[0].height,Z.depth);for(let st=0,At=ct.length;st<At;st++)if(X=ct[st],v.format!==Nn)if(lt!==null)if(rt){if(Tt)if(v.layerUpdates.size>0){let Gt=Hh(X.width,X.height,v.format,v.type);for(let pt of v.layerUpdates){let oe=X.data.subarray(pt*Gt/X.data.BYTES_PER_ELEMENT,(pt+1)*Gt/X.data.BYTES_PER_ELEMENT);e.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,st,0,0,pt,X.width,X.height,1,lt,oe)}}else e.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,st,0,0,0,X.width,X.height,Z.depth,lt,X.data)}else e.compressedTexImage3D(i.TEXTURE_2D_ARRAY,st,J,X.width,X.height,Z.depth,0,X.data,0,0);else Ct("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()");else rt?Tt&&e.texSubImage3D(i.TEXTURE_2D_ARRAY,st,0,0,0,X.width,X.height,Z.depth,lt,R,X.data):e.texImage3D(i.TEXTURE_2D_ARRAY,st,J,X.width,X.height,Z.depth,0,lt,R,X.data);v.layerUpdates.size>0&&v.clearLayerUpdates()}else{rt&&at&&e.texStorage2D(i.TEXTURE_2D,Wt,J,ct[0].width,ct[0].height);for(let st=0,At=ct.length;st<At;st++)X=ct[st],v.format!==Nn?lt!==null?rt?Tt&&e.compressedTexSubImage2D(i.TEXTURE_2D,st,0,0,X.width,X.height,lt,X.data):e.compressedTexImage2D(i.TEXTURE_2D,st,J,X.width,X.height,0,X.data):Ct("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()"):rt?Tt&&e.texSubImage2D(i.TEXTURE_2D,st,0,0,X.width,X.height,lt,R,X.data):e.texImage2D(i.TEXTURE_2D,st,J,X.width,X.height,0,lt,R,X.data)}else if(v.isDataArrayTexture)if(rt){if(at&&e.texStorage3D(i.TEXTURE_2D_ARRAY,Wt,J,Z.width,Z.height,Z.depth),Tt)if(v.layerUpdates.size>0){let st=Hh(Z.width,Z.height,v.format,v.type);for(let At of v.layerUpdates){let Gt=Z.data.subarray(At*st/Z.data.BYTES_PER_ELEMENT,(At+1)*st/Z.data.BYTES_PER_ELEMENT);e.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,At,Z.width,Z.height,1,lt,R,Gt)}v.clearLayerUpdates()}else e.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,0,Z.width,Z.height,Z.depth,lt,R,Z.data)}else e.texImage3D(i.TEXTURE_2D_ARRAY,0,J,Z.width,Z.height,Z.depth,0,lt,R,Z.data);else if(v.isData3DTexture)rt?(at&&e.texStorage3D(i.TEXTURE_3D,Wt,J,Z.width,Z.height,Z.depth),Tt&&e.texSubImage3D(i.TEXTURE_3D,0,0,0,0,Z.width,Z.height,Z.depth,lt,R,Z.data)):e.texImage3D(i.TEXTURE_3D,0,J,Z.width,Z.height,Z.depth,0,lt,R,Z.data);else if(v.isFramebufferTexture){if(at)if(rt)e.texStorage2D(i.TEXTURE_2D,Wt,J,Z.width,Z.height);else{let st=Z.width,At=Z.height;for(let Gt=0;Gt<Wt;Gt++)e.texImage2D(i.TEXTURE_2D,Gt,J,st,At,0,lt,R,null),st>>=1,At>>=1}}else if(v.isHTMLTexture){if("texElementImage2D"in i){let st=i.canvas;if(st.hasAttribute("layoutsubtree")||st.setAttribute("layoutsubtree","true"),Z.parentNode!==st){st.appendChild(Z),u.add(v),st.onpaint=At=>{let Gt=At.changedElements;for(let pt of u)Gt.includes(pt.image)&&(pt.needsUpdate=!0)},st.requestPaint();return}if(i.texElementImage2D.length===3)i.texElementImage2D(i.TEXTURE_2D,i.RGBA8,Z);else{let Gt=i.RGBA,pt=i.RGBA,oe=i.UNSIGNED_BYTE;i.texElementImage2D(i.TEXTURE_2D,0,Gt,pt,oe,Z)}i.texParameteri(i.TEXTURE_2D,i.TEXTURE_MIN_FILTER,i.LINEAR),i.texParameteri(i.TEXTURE_2D,i.TEXTURE_WRAP_S,i.CLAMP_TO_EDGE),i.texParameteri(i.TEXTURE_2D,i.TEXTURE_WRAP_T,i.CLAMP_TO_EDGE)}}else if(ct.length>0){if(rt&&at){let st=kt(ct[0]);e.texStorage2D(i.TEXTURE_2D,Wt,J,st.width,st.height)}for(let st=0,At=ct.length;st<At;st++)X=ct[st],rt?Tt&&e.texSubImage2D(i.TEXTURE_2D,st,0,0,lt,R,X):e.texImage2D(i.TEXTURE_2D,st,J,lt,R,X);v.generateMipmaps=!1}else if(rt){if(at){let st=kt(Z);e.texStorage2D(i.TEXTURE_2D,Wt,J,st.width,st.height)}Tt&&e.texSubImage2D(i.TEXTURE_2D,0,0,0,lt,R,Z)}else e.texImage2D(i.TEXTURE_2D,0,J,lt,R,Z);E(v)&&v.mipmapsAutoUpdate===!0&&S(nt),ut.__version=ot.version,v.onUpdate&&v.onUpdate(v)}w.__version=v.version}function je(w,v,B){if(v.image.length!==6)return;let nt=le(w,v),j=v.source;e.bindTexture(i.TEXTURE_CUBE_MAP,w.__webglTexture,i.TEXTURE0+B);let ot=n.get(j);if(j.version!==ot.__version||nt===!0){e.activeTexture(i.TEXTURE0+B);let ut=Qt.getPrimaries(Qt.workingColorSpace),Y=v.colorSpace===di?null:Qt.getPrimaries(v.colorSpace),Z=v.colorSpace===di||ut===Y?i.NONE:i.BROWSER_DEFAULT_WEBGL;e.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,v.flipY),e.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,v.premultiplyAlpha),e.pixelStorei(i.UNPACK_ALIGNMENT,v.unpackAlignment),e.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,Z);let lt=v.isCompressedTexture||v.image[0].isCompressedTexture,R=v.image[0]&&v.image[0].isDataTexture,J=[];for(let pt=0;pt<6;pt++)!lt&&!R?J[pt]=b(v.image[pt],!0,s.maxCubemapSize):J[pt]=R?v.image[pt].image:v.image[pt],J[pt]=Pt(v,J[pt]);let X=J[0],ct=r.convert(v.format,v.colorSpace),rt=r.convert(v.type),at=T(v.internalFormat,ct,rt,v.normalized,v.colorSpace),Tt=v.isVideoTexture!==!0,Wt=ot.__version===void 0||nt===!0,st=j.dataReady,At=M(v,X);re(i.TEXTURE_CUBE_MAP,v);let Gt;if(v.isDepthTexture){if(at=x(v.format===ui,v.type),Wt)if(Tt)e.texStorage2D(i.TEXTURE_CUBE_MAP,1,at,X.width,X.height);else for(let pt=0;pt<6;pt++)e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+pt,0,at,X.width,X.height,0,ct,rt,null)}else if(lt){Tt&&Wt&&e.texStorage2D(i.TEXTURE_CUBE_MAP,At,at,X.width,X.height);for(let pt=0;pt<6;pt++){Gt=J[pt].mipmaps;for(let oe=0;oe<Gt.length;oe++){let Pe=Gt[oe];v.format!==Nn?ct!==null?Tt?st&&e.compressedTexSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+pt,oe,0,0,Pe.width,Pe.height,ct,Pe.data):e.compressedTexImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+pt,oe,at,Pe.width,Pe.height,0,Pe.data):Ct("WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()"):Tt?st&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+pt,oe,0,0,Pe.width,Pe.height,ct,rt,Pe.data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+pt,oe,at,Pe.width,Pe.height,0,ct,rt,Pe.data)}}}else{if(Gt=v.mipmaps,Tt&&Wt){Gt.length>0&&At++;let pt=kt(J[0]);e.texStorage2D(i.TEXTURE_CUBE_MAP,At,at,pt.width,pt.height)}for(let pt=0;pt<6;pt++)if(R){Tt?st&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+pt,0,0,0,J[pt].width,J[pt].height,ct,rt,J[pt].data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+pt,0,at,J[pt].width,J[pt].height,0,ct,rt,J[pt].data);for(let oe=0;oe<Gt.length;oe++){let fi=Gt[oe].image[pt].image;Tt?st&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+pt,oe+1,0,0,fi.width,fi.height,ct,rt,fi.data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+pt,oe+1,at,fi.width,fi.height,0,ct,rt,fi.data)}}else{Tt?st&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+pt,0,0,0,ct,rt,J[pt]):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+pt,0,at,ct,rt,J[pt]);for(let oe=0;oe<Gt.length;oe++){let Pe=Gt[oe];Tt?st&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+pt,oe+1,0,0,ct,rt,Pe.image[pt]):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+pt,oe+1,at,ct,rt,Pe.image[pt])}}}E(v)&&v.mipmapsAutoUpdate===!0&&S(i.TEXTURE_CUBE_MAP),ot.__version=j.version,v.onUpdate&&v.onUpdate(v)}w.__version=v.version}function ge(w,v,B,nt,j,ot){let ut=r.convert(B.format,B.colorSpace),Y=r.convert(B.type),Z=T(B.internalFormat,ut,Y,B.normalized,B.colorSpace),lt=n.get(v),R=n.get(B);if(R.__renderTarget=v,!lt.__hasExternalTextures){let J=Math.max(1,v.width>>ot),X=Math.max(1,v.height>>ot);j===i.TEXTURE_3D||j===i.TEXTURE_2D_ARRAY?e.texImage3D(j,ot,Z,J,X,v.depth,0,ut,Y,null):e.texImage2D(j,ot,Z,J,X,0,ut,Y,null)}e.bindFramebuffer(i.FRAMEBUFFER,w),ft(v)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,nt,j,R.__webglTexture,0,pe(v)):(j===i.TEXTURE_2D||j>=i.TEXTURE_CUBE_MAP_POSITIVE_X&&j<=i.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&i.framebufferTexture2D(i.FRAMEBUFFER,nt,j,R.__webglTexture,ot),e.bindFramebuffer(i.FRAMEBUFFER,null)}function Dn(w,v,B){if(i.bindRenderbuffer(i.RENDERBUFFER,w),v.depthBuffer){let nt=v.depthTexture,j=nt&&nt.isDepthTexture?nt.type:null,ot=x(v.stencilBuffer,j),ut=v.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;ft(v)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,pe(v),ot,v.width,v.height):B?i.renderbufferStorageMultisample(i.RENDERBUFFER,pe(v),ot,v.width,v.height):i.renderbufferStorage(i.RENDERBUFFER,ot,v.width,v.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,ut,i.RENDERBUFFER,w)}else{let nt=v.textures;for(let j=0;j<nt.length;j++){let ot=nt[j],ut=r.convert(ot.format,ot.colorSpace),Y=r.convert(ot.type),Z=T(ot.internalFormat,ut,Y,ot.normalized,ot.colorSpace);ft(v)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,pe(v),Z,v.width,v.height):B?i.renderbufferStorageMultisample(i.RENDERBUFFER,pe(v),Z,v.width,v.height):i.renderbufferStorage(i.RENDERBUFFER,Z,v.width,v.height)}}i.bindRenderbuffer(i.RENDERBUFFER,null)}function Re(w,v,B){let nt=v.isWebGLCubeRenderTarget===!0;if(e.bindFramebuffer(i.FRAMEBUFFER,w),!(v.depthTexture&&v.depthTexture.isDepthTexture))throw new Error("THREE.WebGLTextures: renderTarget.depthTexture must be an instance of THREE.DepthTexture.");let j=n.get(v.depthTexture);j.__renderTarget=v;let ot=nt?v.depthTexture.image[0]:v.depthTexture.image;(!j.__webglTexture||ot.width!==v.width||ot.height!==v.height)&&(ot.width=v.width,ot.height=v.height,v.depthTexture.needsUpdate=!0),nt?xt(v.depthTexture,0):gt(v.depthTexture,0);let ut=j.__webglTexture,Y=pe(v),Z=nt?i.TEXTURE_CUBE_MAP_POSITIVE_X+B:i.TEXTURE_2D,lt=v.depthTexture.format===ui?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;if(v.depthTexture.format===oi)ft(v)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,lt,Z,ut,0,Y):i.framebufferTexture2D(i.FRAMEBUFFER,lt,Z,ut,0);else if(v.depthTexture.format===ui)ft(v)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,lt,Z,ut,0,Y):i.framebufferTexture2D(i.FRAMEBUFFER,lt,Z,ut,0);else throw new Error("THREE.WebGLTextures: Unknown depthTexture format.")}function un(w){let v=n.get(w),B=w.isWebGLCubeRenderTarget===!0;if(v.__boundDepthTexture!==w.depthTexture){let nt=w.depthTexture;if(v.__depthDisposeCallback&&v.__depthDisposeCallback(),nt){let j=()=>{delete v.__boundDepthTexture,delete v.__depthDisposeCallback,nt.removeEventListener("dispose",j)};nt.addEventListener("dispose",j),v.__depthDisposeCallback=j}v.__boundDepthTexture=nt}if(w.depthTexture&&!v.__autoAllocateDepthBuffer)if(B)for(let nt=0;nt<6;nt++)Re(v.__webglFramebuffer[nt],w,nt);else w.texture.mipmaps.length>0?Re(v.__webglFramebuffer[0],w,0):Re(v.__webglFramebuffer,w,0);else if(B){v.__webglDepthbuffer=[];for(let nt=0;nt<6;nt++)if(e.bindFramebuffer(i.FRAMEBUFFER,v.__webglFramebuffer[nt]),v.__webglDepthbuffer[nt]===void 0)v.__webglDepthbuffer[nt]=i.createRenderbuffer(),Dn(v.__webglDepthbuffer[nt],w,!1);else{let j=w.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,ot=v.__webglDepthbuffer[nt];i.bindRenderbuffer(i.RENDERBUFFER,ot),i.framebufferRenderbuffer(i.FRAMEBUFFER,j,i.RENDERBUFFER,ot)}}else if(w.texture.mipmaps.length>0?e.bindFramebuffer(i.FRAMEBUFFER,v.__webglFramebuffer[0]):e.bindFramebuffer(i.FRAMEBUFFER,v.__webglFramebuffer),v.__webglDepthbuffer===void 0)v.__webglDepthbuffer=i.createRenderbuffer(),Dn(v.__webglDepthbuffer,w,!1);else{let j=w.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,ot=v.__webglDepthbuffer;i.bindRenderbuffer(i.RENDERBUFFER,ot),i.framebufferRenderbuffer(i.FRAMEBUFFER,j,i.RENDERBUFFER,ot)}e.bindFramebuffer(i.FRAMEBUFFER,null)}function dn(w,v,B){let nt=n.get(w);v!==void 0&&ge(nt.__webglFramebuffer,w,w.texture,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,0),B!==void 0&&un(w)}function fn(w){let v=w.texture,B=n.get(w),nt=n.get(v);w.addEventListener("dispose",F),U(w);let j=w.textures,ot=w.isWebGLCubeRenderTarget===!0,ut=j.length>1;if(ut||(nt.__webglTexture===void 0&&(nt.__webglTexture=i.createTexture()),nt.__version=v.version,o.memory.textures++),ot){B.__webglFramebuffer=[];for(let Y=0;Y<6;Y++)if(v.mipmaps.length>0){B.__webglFramebuffer[Y]=[];for(let Z=0;Z<v.mipmaps.length;Z++)B.__webglFramebuffer[Y][Z]=i.createFramebuffer()}else B.__webglFramebuffer[Y]=i.createFramebuffer()}else{if(v.mipmaps.length>0){B.__webglFramebuffer=[];for(let Y=0;Y<v.mipmaps.length;Y++)B.__webglFramebuffer[Y]=i.createFramebuffer()}else B.__webglFramebuffer=i.createFramebuffer();if(ut)for(let Y=0,Z=j.length;Y<Z;Y++){let lt=n.get(j[Y]);lt.__webglTexture===void 0&&(lt.__webglTexture=i.createTexture(),o.memory.textures++)}if(w.samples>0&&ft(w)===!1){B.__webglMultisampledFramebuffer=i.createFramebuffer(),B.__webglColorRenderbuffer=[],e.bindFramebuffer(i.FRAMEBUFFER,B.__webglMultisampledFramebuffer);for(let Y=0;Y<j.length;Y++){let Z=j[Y];B.__webglColorRenderbuffer[Y]=i.createRenderbuffer(),i.bindRenderbuffer(i.RENDERBUFFER,B.__webglColorRenderbuffer[Y]);let lt=r.convert(Z.format,Z.colorSpace),R=r.convert(Z.type),J=T(Z.internalFormat,lt,R,Z.normalized,Z.colorSpace,w.isXRRenderTarget===!0),X=pe(w);i.renderbufferStorageMultisample(i.RENDERBUFFER,X,J,w.width,w.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+Y,i.RENDERBUFFER,B.__webglColorRenderbuffer[Y])}i.bindRenderbuffer(i.RENDERBUFFER,null),w.depthBuffer&&(B.__webglDepthRenderbuffer=i.createRenderbuffer(),Dn(B.__webglDepthRenderbuffer,w,!0)),e.bindFramebuffer(i.FRAMEBUFFER,null)}}if(ot){e.bindTexture(i.TEXTURE_CUBE_MAP,nt.__webglTexture),re(i.TEXTURE_CUBE_MAP,v);for(let Y=0;Y<6;Y++)if(v.mipmaps.length>0)for(let Z=0;Z<v.mipmaps.length;Z++)ge(B.__webglFramebuffer[Y][Z],w,v,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+Y,Z);else ge(B.__webglFramebuffer[Y],w,v,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+Y,0);E(v)?S(i.TEXTURE_CUBE_MAP):v.mipmaps.length>0&&i.texParameteri(i.TEXTURE_CUBE_MAP,i.TEXTURE_MAX_LEVEL,v.mipmaps.length-1),e.unbindTexture()}else if(ut){for(let Y=0,Z=j.length;Y<Z;Y++){let lt=j[Y],R=n.get(lt),J=i.TEXTURE_2D;(w.isWebGL3DRenderTarget||w.isWebGLArrayRenderTarget)&&(J=w.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),e.bindTexture(J,R.__webglTexture),re(J,lt),ge(B.__webglFramebuffer,w,lt,i.COLOR_ATTACHMENT0+Y,J,0),E(lt)&&S(J)}e.unbindTexture()}else{let Y=i.TEXTURE_2D;if((w.isWebGL3DRenderTarget||w.isWebGLArrayRenderTarget)&&(Y=w.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),e.bindTexture(Y,nt.__webglTexture),re(Y,v),v.mipmaps.length>0)for(let Z=0;Z<v.mipmaps.length;Z++)ge(B.__webglFramebuffer[Z],w,v,i.COLOR_ATTACHMENT0,Y,Z);else ge(B.__webglFramebuffer,w,v,i.COLOR_ATTACHMENT0,Y,0);E(v)?S(Y):v.mipmaps.length>0&&i.texParameteri(Y,i.TEXTURE_MAX_LEVEL,v.mipmaps.length-1),e.unbindTexture()}w.depthBuffer&&un(w)}function D(w){let v=w.textures;for(let B=0,nt=v.length;B<nt;B++){let j=v[B];if(E(j)&&j.mipmapsAutoUpdate===!0){let ot=A(w),ut=n.get(j).__webglTexture;e.bindTexture(ot,ut),S(ot),e.unbindTexture()}}}let pn=[];function fe(w){if(w.samples>0){if(ft(w)===!1){let v=w.textures,B=w.width,nt=w.height,j=i.COLOR_BUFFER_BIT,ot=w.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,ut=n.get(w),Y=v.length>1;if(Y)for(let lt=0;lt<v.length;lt++)e.bindFramebuffer(i.FRAMEBUFFER,ut.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+lt,i.RENDERBUFFER,null),e.bindFramebuffer(i.FRAMEBUFFER,ut.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+lt,i.TEXTURE_2D,null,0);e.bindFramebuffer(i.READ_FRAMEBUFFER,ut.__webglMultisampledFramebuffer),w.texture.mipmaps.length>0?e.bindFramebuffer(i.DRAW_FRAMEBUFFER,ut.__webglFramebuffer[0]):e.bindFramebuffer(i.DRAW_FRAMEBUFFER,ut.__webglFramebuffer);for(let lt=0;lt<v.length;lt++){if(w.resolveDepthBuffer&&(w.depthBuffer&&(j|=i.DEPTH_BUFFER_BIT),w.stencilBuffer&&w.resolveStencilBuffer&&(j|=i.STENCIL_BUFFER_BIT)),Y){i.framebufferRenderbuffer(i.READ_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.RENDERBUFFER,ut.__webglColorRenderbuffer[lt]);let R=n.get(v[lt]).__webglTexture;i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,R,0)}i.blitFramebuffer(0,0,B,nt,0,0,B,nt,j,i.NEAREST),l===!0&&(pn.length=0,pn.push(i.COLOR_ATTACHMENT0+lt),w.depthBuffer&&w.storeMultisampledDepthBuffer===!1&&pn.push(ot),i.invalidateFramebuffer(i.READ_FRAMEBUFFER,pn))}if(e.bindFramebuffer(i.READ_FRAMEBUFFER,null),e.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),Y)for(let lt=0;lt<v.length;lt++){e.bindFramebuffer(i.FRAMEBUFFER,ut.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+lt,i.RENDERBUFFER,ut.__webglColorRenderbuffer[lt]);let R=n.get(v[lt]).__webglTexture;e.bindFramebuffer(i.FRAMEBUFFER,ut.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+lt,i.TEXTURE_2D,R,0)}e.bindFramebuffer(i.DRAW_FRAMEBUFFER,ut.__webglMultisampledFramebuffer)}else if(w.depthBuffer&&w.storeMultisampledDepthBuffer===!1&&l){let v=w.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;i.invalidateFramebuffer(i.DRAW_FRAMEBUFFER,[v])}}}function pe(w){return Math.min(s.maxSamples,w.samples)}function ft(w){let v=n.get(w);return w.samples>0&&t.has("WEBGL_multisampled_render_to_texture")===!0&&v.__useRenderToTexture!==!1}function we(w){let v=o.render.frame;h.get(w)!==v&&(h.set(w,v),w.update())}function Pt(w,v){let B=w.colorSpace,nt=w.format,j=w.type;return w.isCompressedTexture===!0||w.isVideoTexture===!0||B!==dr&&B!==di&&(Qt.getTransfer(B)===se?(nt!==Nn||j!==tn)&&Ct("WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType."):Ut("WebGLTextures: Unsupported texture color space:",B)),v}function kt(w){return typeof HTMLImageElement<"u"&&w instanceof HTMLImageElement?(c.width=w.naturalWidth||w.width,c.height=w.naturalHeight||w.height):typeof VideoFrame<"u"&&w instanceof VideoFrame?(c.width=w.displayWidth,c.height=w.displayHeight):(c.width=w.width,c.height=w.height),c}this.allocateTextureUnit=Bt,this.resetTextureUnits=Q,this.getTextureUnits=et,this.setTextureUnits=St,this.setTexture2D=gt,this.setTexture2DArray=_t,this.setTexture3D=Rt,this.setTextureCube=xt,this.rebindTextures=dn,this.setupRenderTarget=fn,this.updateRenderTargetMipmap=D,this.updateMultisampleRenderTarget=fe,this.setupDepthRenderbuffer=un,this.setupFrameBufferTexture=ge,this.useMultisampledRTT=ft,this.dispose=W}function cb(i,t){function e(n,s=di){let r,o=Qt.getTransfer(s);if(n===tn)return i.UNSIGNED_BYTE;if(n===Ka)return i.UNSIGNED_SHORT_4_4_4_4;if(n===Ja)return i.UNSIGNED_SHORT_5_5_5_1;if(n===Th)return i.UNSIGNED_INT_5_9_9_9_REV;if(n===Eh)return i.UNSIGNED_INT_10F_11F_11F_REV;if(n===Sh)return i.BYTE;if(n===wh)return i.SHORT;if(n===$s)return i.UNSIGNED_SHORT;if(n===Za)return i.INT;if(n===In)return i.UNSIGNED_INT;if(n===_n)return i.FLOAT;if(n===Ln)return i.HALF_FLOAT;if(n===Ah)return i.ALPHA;if(n===Ch)return i.RGB;if(n===Nn)return i.RGBA;if(n===oi)return i.DEPTH_COMPONENT;if(n===ui)return i.DEPTH_STENCIL;if(n===ja)return i.RED;if(n===Qa)return i.RED_INTEGER;if(n===Di)return i.RG;if(n===tl)return i.RG_INTEGER;if(n===el)return i.RGBA_INTEGER;if(n===Br||n===zr||n===Vr||n===Hr)if(o===se)if(r=t.get("WEBGL_compressed_texture_s3tc_srgb"),r!==null){if(n===Br)return r.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(n===zr)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(n===Vr)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(n===Hr)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null;else if(r=t.get("WEBGL_compressed_texture_s3tc"),r!==null){if(n===Br)return r.COMPRESSED_RGB_S3TC_DXT1_EXT;if(n===zr)return r.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(n===Vr)return r.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(n===Hr)return r.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null;if(n===nl||n===il||n===sl||n===rl)if(r=t.get("WEBGL_compressed_texture_pvrtc"),r!==null){if(n===nl)return r.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(n===il)return r.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(n===sl)return r.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(n===rl)return r.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null;if(n===ol||n===al||n===ll||n===cl||n===hl||n===Gr||n===ul)if(r=t.get("WEBGL_compressed_texture_etc"),r!==null){if(n===ol||n===al)return o===se?r.COMPRESSED_SRGB8_ETC2:r.COMPRESSED_RGB8_ETC2;if(n===ll)return o===se?r.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:r.COMPRESSED_RGBA8_ETC2_EAC;if(n===cl)return r.COMPRESSED_R11_EAC;if(n===hl)return r.COMPRESSED_SIGNED_R11_EAC;if(n===Gr)return r.COMPRESSED_RG11_EAC;if(n===ul)return r.COMPRESSED_SIGNED_RG11_EAC}else return null;if(n===dl||n===fl||n===pl||n===ml||n===gl||n===xl||n===vl||n===yl||n===_l||n===bl||n===Ml||n===Sl||n===wl||n===Tl)if(r=t.get("WEBGL_compressed_texture_astc"),r!==null){if(n===dl)return o===se?r.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:r.COMPRESSED_RGBA_ASTC_4x4_KHR;if(n===fl)return o===se?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:r.COMPRESSED_RGBA_ASTC_5x4_KHR;if(n===pl)return o===se?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:r.COMPRESSED_RGBA_ASTC_5x5_KHR;if(n===ml)return o===se?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:r.COMPRESSED_RGBA_ASTC_6x5_KHR;if(n===gl)return o===se?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:r.COMPRESSED_RGBA_ASTC_6x6_KHR;if(n===xl)return o===se?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:r.COMPRESSED_RGBA_ASTC_8x5_KHR;if(n===vl)return o===se?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:r.COMPRESSED_RGBA_ASTC_8x6_KHR;if(n===yl)return o===se?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:r.COMPRESSED_RGBA_ASTC_8x8_KHR;if(n===_l)return o===se?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:r.COMPRESSED_RGBA_ASTC_10x5_KHR;if(n===bl)return o===se?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:r.COMPRESSED_RGBA_ASTC_10x6_KHR;if(n===Ml)return o===se?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:r.COMPRESSED_RGBA_ASTC_10x8_KHR;if(n===Sl)return o===se?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:r.COMPRESSED_RGBA_ASTC_10x10_KHR;if(n===wl)return o===se?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:r.COMPRESSED_RGBA_ASTC_12x10_KHR;if(n===Tl)return o===se?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:r.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null;if(n===El||n===Al||n===Cl)if(r=t.get("EXT_texture_compression_bptc"),r!==null){if(n===El)return o===se?r.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:r.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(n===Al)return r.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(n===Cl)return r.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null;if(n===Rl||n===Pl||n===Wr||n===Il)if(r=t.get("EXT_texture_compression_rgtc"),r!==null){if(n===Rl)return r.COMPRESSED_RED_RGTC1_EXT;if(n===Pl)return r.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(n===Wr)return r.COMPRESSED_RED_GREEN_RGTC2_EXT;if(n===Il)return r.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null;return n===rs?i.UNSIGNED_INT_24_8:i[n]!==void 0?i[n]:null}return{convert:e}}var hb=`
void main() {

	gl_Position = vec4( position, 1.0 );

}`,ub=`
uniform sampler2DArray depthColor;
uniform float depthWidth;
uniform float depthHeight;

void main() {

	vec2 coord = vec2( gl_FragCoord.x / depthWidth, gl_FragCoord.y / depthHeight );

	if ( coord.x >= 1.0 ) {

		gl_FragDepth = texture( depthColor, vec3( coord.x - 1.0, coord.y, 1 ) ).r;

	} else {

		gl_FragDepth = texture( depthColor, vec3( coord.x, coord.y, 0 ) ).r;

	}

}`,Jh=class{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(t,e){if(this.texture===null){let n=new wr(t.texture);(t.depthNear!==e.depthNear||t.depthFar!==e.depthFar)&&(this.depthNear=t.depthNear,this.depthFar=t.depthFar),this.texture=n}}getMesh(t){if(this.texture!==null&&this.mesh===null){let e=t.cameras[0].viewport,n=new Vn({vertexShader:hb,fragmentShader:ub,uniforms:{depthColor:{value:this.texture},depthWidth:{value:e.z},depthHeight:{value:e.w}}});this.mesh=new Ke(new Qi(20,20),n)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}},jh=class extends Rn{constructor(t,e){super();let n=this,s=null,r=1,o=null,a="local-floor",l=1,c=null,h=null,u=null,d=null,f=null,g=null,y=typeof XRWebGLBinding<"u",m=new Jh,p={},b=e.getContextAttributes(),E=null,S=null,A=[],T=[],x=new Nt,M=null,U=null,P=new $e;P.viewport=new me;let O=new $e;O.viewport=new me;let F=[P,O],H=new Wa,L=null,W=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function(K){let gt=A[K];return gt===void 0&&(gt=new Fs,A[K]=gt),gt.getTargetRaySpace()},this.getControllerGrip=function(K){let gt=A[K];return gt===void 0&&(gt=new Fs,A[K]=gt),gt.getGripSpace()},this.getHand=function(K){let gt=A[K];return gt===void 0&&(gt=new Fs,A[K]=gt),gt.getHandSpace()};function q(K){let gt=T.indexOf(K.inputSource);if(gt===-1)return;let _t=A[gt];_t!==void 0&&(_t.update(K.inputSource,K.frame,c||o),_t.dispatchEvent({type:K.type,data:K.inputSource}))}function G(){s.removeEventListener("select",q),s.removeEventListener("selectstart",q),s.removeEventListener("selectend",q),s.removeEventListener("squeeze",q),s.removeEventListener("squeezestart",q),s.removeEventListener("squeezeend",q),s.removeEventListener("end",G),s.removeEventListener("inputsourceschange",it);for(let K=0;K<A.length;K++){let gt=T[K];gt!==null&&(T[K]=null,A[K].disconnect(gt))}L=null,W=null,m.reset();for(let K in p)delete p[K];if(t.setRenderTarget(E),f=null,d=null,u=null,s=null,S=null,Bt.stop(),n.isPresenting=!1,t.setPixelRatio(M),t.setSize(x.width,x.height,!1),U!==null){let K=U.camera;K.fov=U.fov,K.zoom=U.zoom,K.updateProjectionMatrix(),U=null}n.dispatchEvent({type:"sessionend"})}this.setFramebufferScaleFactor=function(K){r=K,n.isPresenting===!0&&Ct("WebXRManager: Cannot change framebuffer scale while presenting.")},this.setReferenceSpaceType=function(K){a=K,n.isPresenting===!0&&Ct("WebXRManager: Cannot change reference space type while presenting.")},this.getReferenceSpace=function(){return c||o},this.setReferenceSpace=function(K){c=K},this.getBaseLayer=function(){return d!==null?d:f},this.getBinding=function(){return u===null&&y&&(u=new XRWebGLBinding(s,e)),u},this.getFrame=function(){return g},this.getSession=function(){return s},this.setSession=async function(K){if(s=K,s!==null){if(E=t.getRenderTarget(),s.addEventListener("select",q),s.addEventListener("selectstart",q),s.addEventListener("selectend",q),s.addEventListener("squeeze",q),s.addEventListener("squeezestart",q),s.addEventListener("squeezeend",q),s.addEventListener("end",G),s.addEventListener("inputsourceschange",it),b.xrCompatible!==!0&&await e.makeXRCompatible(),M=t.getPixelRatio(),t.getSize(x),y&&"createProjectionLayer"in XRWebGLBinding.prototype){let _t=null,Rt=null,xt=null;b.depth&&(xt=b.stencil?e.DEPTH24_STENCIL8:e.DEPTH_COMPONENT24,_t=b.stencil?ui:oi,Rt=b.stencil?rs:In);let Ht={colorFormat:e.RGBA8,depthFormat:xt,scaleFactor:r};u=this.getBinding(),d=u.createProjectionLayer(Ht),s.updateRenderState({layers:[d]}),t.setPixelRatio(1),t.setSize(d.textureWidth,d.textureHeight,!1),S=new ln(d.textureWidth,d.textureHeight,{format:Nn,type:tn,depthTexture:new ci(d.textureWidth,d.textureHeight,Rt,void 0,void 0,void 0,void 0,void 0,void 0,_t),stencilBuffer:b.stencil,colorSpace:t.outputColorSpace,samples:b.antialias?4:0,resolveDepthBuffer:d.ignoreDepthValues===!1,resolveStencilBuffer:d.ignoreDepthValues===!1,storeMultisampledDepthBuffer:d.ignoreDepthValues===!1,storeMultisampledStencilBuffer:d.ignoreDepthValues===!1})}else{let _t={antialias:b.antialias,alpha:!0,depth:b.depth,stencil:b.stencil,framebufferScaleFactor:r};f=new XRWebGLLayer(s,e,_t),s.updateRenderState({baseLayer:f}),t.setPixelRatio(1),t.setSize(f.framebufferWidth,f.framebufferHeight,!1),S=new ln(f.framebufferWidth,f.framebufferHeight,{format:Nn,type:tn,colorSpace:t.outputColorSpace,stencilBuffer:b.stencil,resolveDepthBuffer:f.ignoreDepthValues===!1,resolveStencilBuffer:f.ignoreDepthValues===!1,storeMultisampledDepthBuffer:f.ignoreDepthValues===!1,storeMultisampledStencilBuffer:f.ignoreDepthValues===!1})}S.isXRRenderTarget=!0,this.setFoveation(l),c=null,o=await s.requestReferenceSpace(a),Bt.setContext(s),Bt.start(),n.isPresenting=!0,n.dispatchEvent({type:"sessionstart"})}},this.getEnvironmentBlendMode=function(){if(s!==null)return s.environmentBlendMode},this.getDepthTexture=function(){return m.getDepthTexture()};function it(K){for(let gt=0;gt<K.removed.length;gt++){let _t=K.removed[gt],Rt=T.indexOf(_t);Rt>=0&&(T[Rt]=null,A[Rt].disconnect(_t))}for(let gt=0;gt<K.added.length;gt++){let _t=K.added[gt],Rt=T.indexOf(_t);if(Rt===-1){for(let Ht=0;Ht<A.length;Ht++)if(Ht>=T.length){T.push(_t),Rt=Ht;break}else if(T[Ht]===null){T[Ht]=_t,Rt=Ht;break}if(Rt===-1)break}let xt=A[Rt];xt&&xt.connect(_t)}}function $(K,gt){gt===null?K.matrixWorld.copy(K.matrix):K.matrixWorld.multiplyMatrices(gt.matrixWorld,K.matrix),K.matrixWorldInverse.copy(K.matrixWorld).invert()}this.updateCamera=function(K){if(s===null)return;let gt=K.near,_t=K.far;m.texture!==null&&(m.depthNear>0&&(gt=m.depthNear),m.depthFar>0&&(_t=m.depthFar)),H.near=O.near=P.near=gt,H.far=O.far=P.far=_t,(L!==H.near||W!==H.far)&&(s.updateRenderState({depthNear:H.near,depthFar:H.far}),L=H.near,W=H.far),H.layers.mask=K.layers.mask|6,P.layers.mask=H.layers.mask&-5,O.layers.mask=H.layers.mask&-3;let Rt=K.parent,xt=H.cameras;$(H,Rt);for(let Ht=0;Ht<xt.length;Ht++)$(xt[Ht],Rt);H.projectionMatrix.copy(P.projectionMatrix),H.projectionMatrixInverse.copy(P.projectionMatrixInverse),U===null&&K.isPerspectiveCamera&&(U={camera:K,fov:K.fov,zoom:K.zoom}),Q(K,H,Rt)};function Q(K,gt,_t){_t===null?K.matrix.copy(gt.matrixWorld):(K.matrix.copy(_t.matrixWorld),K.matrix.invert(),K.matrix.multiply(gt.matrixWorld)),K.matrix.decompose(K.position,K.quaternion,K.scale),K.updateMatrixWorld(!0),K.projectionMatrix.copy(gt.projectionMatrix),K.projectionMatrixInverse.copy(gt.projectionMatrixInverse),K.isPerspectiveCamera&&(K.fov=Us*2*Math.atan(1/K.projectionMatrix.elements[5]),K.zoom=1)}this.getCamera=function(){return H},this.getFoveation=function(){if(!(d===null&&f===null))return l},this.setFoveation=function(K){l=K,d!==null&&(d.fixedFoveation=K),f!==null&&f.fixedFoveation!==void 0&&(f.fixedFoveation=K)},this.hasDepthSensing=function(){return m.texture!==null},this.getDepthSensingMesh=function(){return m.getMesh(H)},this.getCameraTexture=function(K){return p[K]};let et=null;function St(K,gt){if(h=gt.getViewerPose(c||o),g=gt,h!==null){let _t=h.views;f!==null&&(t.setRenderTargetFramebuffer(S,f.framebuffer),t.setRenderTarget(S));let Rt=!1;_t.length!==H.cameras.length&&(H.cameras.length=0,Rt=!0);for(let It=0;It<_t.length;It++){let re=_t[It],le=null;if(f!==null)le=f.getViewport(re);else{let Ue=u.getViewSubImage(d,re);le=Ue.viewport,It===0&&(t.setRenderTargetTextures(S,Ue.colorTexture,Ue.depthStencilTexture),t.setRenderTarget(S))}let Kt=F[It];Kt===void 0&&(Kt=new $e,Kt.layers.enable(It),Kt.viewport=new me,F[It]=Kt),Kt.matrix.fromArray(re.transform.matrix),Kt.matrix.decompose(Kt.position,Kt.quaternion,Kt.scale),Kt.projectionMatrix.fromArray(re.projectionMatrix),Kt.projectionMatrixInverse.copy(Kt.projectionMatrix).invert(),Kt.viewport.set(le.x,le.y,le.width,le.height),It===0&&(H.matrix.copy(Kt.matrix),H.matrix.decompose(H.position,H.quaternion,H.scale)),Rt===!0&&H.cameras.push(Kt)}let xt=s.enabledFeatures;if(xt&&xt.includes("depth-sensing")&&s.depthUsage=="gpu-optimized"&&y){u=n.getBinding();let It=u.getDepthInformation(_t[0]);It&&It.isValid&&It.texture&&m.init(It,s.renderState)}if(xt&&xt.includes("camera-access")&&y){t.state.unbindTexture(),u=n.getBinding();for(let It=0;It<_t.length;It++){let re=_t[It].camera;if(re){let le=p[re];le||(le=new wr,p[re]=le);let Kt=u.getCameraImage(re);le.sourceTexture=Kt}}}}for(let _t=0;_t<A.length;_t++){let Rt=T[_t],xt=A[_t];Rt!==null&&xt!==void 0&&xt.update(Rt,gt,c||o)}et&&et(K,gt),gt.detectedPlanes&&n.dispatchEvent({type:"planesdetected",data:gt}),g=null}let Bt=new Ip;Bt.setAnimationLoop(St),this.setAnimationLoop=function(K){et=K},this.dispose=function(){}}},db=new Zt,Vp=new Ft;Vp.set(-1,0,0,0,1,0,0,0,1);function fb(i,t){function e(m,p){m.matrixAutoUpdate===!0&&m.updateMatrix(),p.value.copy(m.matrix)}function n(m,p){p.color.getRGB(m.fogColor.value,Bh(i)),p.isFog?(m.fogNear.value=p.near,m.fogFar.value=p.far):p.isFogExp2&&(m.fogDensity.value=p.density)}function s(m,p,b,E,S){p.isNodeMaterial?p.uniformsNeedUpdate=!1:p.isMeshBasicMaterial?r(m,p):p.isMeshLambertMaterial?(r(m,p),p.envMap&&(m.envMapIntensity.value=p.envMapIntensity)):p.isMeshToonMaterial?(r(m,p),u(m,p)):p.isMeshPhongMaterial?(r(m,p),h(m,p),p.envMap&&(m.envMapIntensity.value=p.envMapIntensity)):p.isMeshStandardMaterial?(r(m,p),d(m,p),p.isMeshPhysicalMaterial&&f(m,p,S)):p.isMeshMatcapMaterial?(r(m,p),g(m,p)):p.isMeshDepthMaterial?r(m,p):p.isMeshDistanceMaterial?(r(m,p),y(m,p)):p.isMeshNormalMaterial?r(m,p):p.isLineBasicMaterial?(o(m,p),p.isLineDashedMaterial&&a(m,p)):p.isPointsMaterial?l(m,p,b,E):p.isSpriteMaterial?c(m,p):p.isShadowMaterial?(m.color.value.copy(p.color),m.opacity.value=p.opacity):p.isShaderMaterial&&(p.uniformsNeedUpdate=!1)}function r(m,p){m.opacity.value=p.opacity,p.color&&m.diffuse.value.copy(p.color),p.emissive&&m.emissive.value.copy(p.emissive).multiplyScalar(p.emissiveIntensity),p.map&&(m.map.value=p.map,e(p.map,m.mapTransform)),p.alphaMap&&(m.alphaMap.value=p.alphaMap,e(p.alphaMap,m.alphaMapTransform)),p.bumpMap&&(m.bumpMap.value=p.bumpMap,e(p.bumpMap,m.bumpMapTransform),m.bumpScale.value=p.bumpScale,p.side===Je&&(m.bumpScale.value*=-1)),p.normalMap&&(m.normalMap.value=p.normalMap,e(p.normalMap,m.normalMapTransform),m.normalScale.value.copy(p.normalScale),p.side===Je&&m.normalScale.value.negate()),p.displacementMap&&(m.displacementMap.value=p.displacementMap,e(p.displacementMap,m.displacementMapTransform),m.displacementScale.value=p.displacementScale,m.displacementBias.value=p.displacementBias),p.emissiveMap&&(m.emissiveMap.value=p.emissiveMap,e(p.emissiveMap,m.emissiveMapTransform)),p.specularMap&&(m.specularMap.value=p.specularMap,e(p.specularMap,m.specularMapTransform)),p.alphaTest>0&&(m.alphaTest.value=p.alphaTest);let b=t.get(p),E=b.envMap,S=b.envMapRotation;E&&(m.envMap.value=E,m.envMapRotation.value.setFromMatrix4(db.makeRotationFromEuler(S)).transpose(),E.isCubeTexture&&E.isRenderTargetTexture===!1&&m.envMapRotation.value.premultiply(Vp),m.reflectivity.value=p.reflectivity,m.ior.value=p.ior,m.refractionRatio.value=p.refractionRatio),p.lightMap&&(m.lightMap.value=p.lightMap,m.lightMapIntensity.value=p.lightMapIntensity,e(p.lightMap,m.lightMapTransform)),p.aoMap&&(m.aoMap.value=p.aoMap,m.aoMapIntensity.value=p.aoMapIntensity,e(p.aoMap,m.aoMapTransform))}function o(m,p){m.diffuse.value.copy(p.color),m.opacity.value=p.opacity,p.map&&(m.map.value=p.map,e(p.map,m.mapTransform))}function a(m,p){m.dashSize.value=p.dashSize,m.totalSize.value=p.dashSize+p.gapSize,m.scale.value=p.scale}function l(m,p,b,E){m.diffuse.value.copy(p.color),m.opacity.value=p.opacity,m.size.value=p.size*b,m.scale.value=E*.5,p.map&&(m.map.value=p.map,e(p.map,m.uvTransform)),p.alphaMap&&(m.alphaMap.value=p.alphaMap,e(p.alphaMap,m.alphaMapTransform)),p.alphaTest>0&&(m.alphaTest.value=p.alphaTest)}function c(m,p){m.diffuse.value.copy(p.color),m.opacity.value=p.opacity,m.rotation.value=p.rotation,p.map&&(m.map.value=p.map,e(p.map,m.mapTransform)),p.alphaMap&&(m.alphaMap.value=p.alphaMap,e(p.alphaMap,m.alphaMapTransform)),p.alphaTest>0&&(m.alphaTest.value=p.alphaTest)}function h(m,p){m.specular.value.copy(p.specular),m.shininess.value=Math.max(p.shininess,1e-4)}function u(m,p){p.gradientMap&&(m.gradientMap.value=p.gradientMap)}function d(m,p){m.metalness.value=p.metalness,p.metalnessMap&&(m.metalnessMap.value=p.metalnessMap,e(p.metalnessMap,m.metalnessMapTransform)),m.roughness.value=p.roughness,p.roughnessMap&&(m.roughnessMap.value=p.roughnessMap,e(p.roughnessMap,m.roughnessMapTransform)),p.envMap&&(m.envMapIntensity.value=p.envMapIntensity)}function f(m,p,b){m.ior.value=p.ior,p.diffuseRoughness>0&&(m.diffuseRoughness.value=p.diffuseRoughness,p.diffuseRoughnessMap&&(m.diffuseRoughnessMap.value=p.diffuseRoughnessMap,e(p.diffuseRoughnessMap,m.diffuseRoughnessMapTransform))),p.sheen>0&&(m.sheenColor.value.copy(p.sheenColor).multiplyScalar(p.sheen),m.sheenRoughness.value=p.sheenRoughness,p.sheenColorMap&&(m.sheenColorMap.value=p.sheenColorMap,e(p.sheenColorMap,m.sheenColorMapTransform)),p.sheenRoughnessMap&&(m.sheenRoughnessMap.value=p.sheenRoughnessMap,e(p.sheenRoughnessMap,m.sheenRoughnessMapTransform))),p.clearcoat>0&&(m.clearcoat.value=p.clearcoat,m.clearcoatRoughness.value=p.clearcoatRoughness,p.clearcoatMap&&(m.clearcoatMap.value=p.clearcoatMap,e(p.clearcoatMap,m.clearcoatMapTransform)),p.clearcoatRoughnessMap&&(m.clearcoatRoughnessMap.value=p.clearcoatRoughnessMap,e(p.clearcoatRoughnessMap,m.clearcoatRoughnessMapTransform)),p.clearcoatNormalMap&&(m.clearcoatNormalMap.value=p.clearcoatNormalMap,e(p.clearcoatNormalMap,m.clearcoatNormalMapTransform),m.clearcoatNormalScale.value.copy(p.clearcoatNormalScale),p.side===Je&&m.clearcoatNormalScale.value.negate())),p.dispersion>0&&(m.dispersion.value=p.dispersion),p.retroreflectivity>0&&(m.retroreflectivity.value=p.retroreflectivity),p.iridescence>0&&(m.iridescence.value=p.iridescence,m.iridescenceIOR.value=p.iridescenceIOR,m.iridescenceThicknessMinimum.value=p.iridescenceThicknessMinimum,m.iridescenceThicknessMaximum.value=p.iridescenceThicknessMaximum,p.iridescenceMap&&(m.iridescenceMap.value=p.iridescenceMap,e(p.iridescenceMap,m.iridescenceMapTransform)),p.iridescenceThicknessMap&&(m.iridescenceThicknessMap.value=p.iridescenceThicknessMap,e(p.iridescenceThicknessMap,m.iridescenceThicknessMapTransform))),p.transmission>0&&(m.transmission.value=p.transmission,m.transmissionSamplerMap.value=b.texture,m.transmissionSamplerSize.value.set(b.width,b.height),p.transmissionMap&&(m.transmissionMap.value=p.transmissionMap,e(p.transmissionMap,m.transmissionMapTransform)),m.thickness.value=p.thickness,p.thicknessMap&&(m.thicknessMap.value=p.thicknessMap,e(p.thicknessMap,m.thicknessMapTransform)),m.attenuationDistance.value=p.attenuationDistance,m.attenuationColor.value.copy(p.attenuationColor)),p.anisotropy>0&&(m.anisotropyVector.value.set(p.anisotropy*Math.cos(p.anisotropyRotation),p.anisotropy*Math.sin(p.anisotropyRotation)),p.anisotropyMap&&(m.anisotropyMap.value=p.anisotropyMap,e(p.anisotropyMap,m.anisotropyMapTransform))),m.specularIntensity.value=p.specularIntensity,m.specularColor.value.copy(p.specularColor),p.specularColorMap&&(m.specularColorMap.value=p.specularColorMap,e(p.specularColorMap,m.specularColorMapTransform)),p.specularIntensityMap&&(m.specularIntensityMap.value=p.specularIntensityMap,e(p.specularIntensityMap,m.specularIntensityMapTransform))}function g(m,p){p.matcap&&(m.matcap.value=p.matcap)}function y(m,p){let b=t.get(p).light;m.referencePosition.value.setFromMatrixPosition(b.matrixWorld),m.nearDistance.value=b.shadow.camera.near,m.farDistance.value=b.shadow.camera.far}return{refreshFogUniforms:n,refreshMaterialUniforms:s}}function pb(i,t,e,n){let s={},r={};function o(b,E){let S=E.program;n.uniformBlockBinding(b,S,s[b.id])}function a(b,E){let S=s[b.id];S===void 0&&(g(b),S=l(b),s[b.id]=S,b.addEventListener("dispose",m));let A=E.program;n.updateUBOMapping(b,A);let T=t.render.frame;r[b.id]!==T&&(c(b),r[b.id]=T)}function l(b){let E=i.createBuffer(),S=b.__size,A=b.usage;return i.bindBuffer(i.UNIFORM_BUFFER,E),i.bufferData(i.UNIFORM_BUFFER,S,A),i.bindBuffer(i.UNIFORM_BUFFER,null),E}function c(b){let E=s[b.id],S=b.uniforms,A=b.__cache;i.bindBuffer(i.UNIFORM_BUFFER,E);for(let T=0,x=S.length;T<x;T++){let M=S[T];if(Array.isArray(M))for(let U=0,P=M.length;U<P;U++)h(M[U],T,U,A);else h(M,T,0,A)}i.bindBuffer(i.UNIFORM_BUFFER,null)}function h(b,E,S,A){if(d(b,E,S,A)===!0){let T=b.__offset,x=b.value;if(Array.isArray(x)){let M=0;for(let U=0;U<x.length;U++){let P=x[U],O=y(P,!0);u(P,b.__data,M),M+=O.storage/Float32Array.BYTES_PER_ELEMENT}}else u(x,b.__data,0);i.bufferSubData(i.UNIFORM_BUFFER,T,b.__data)}}function u(b,E,S){typeof b=="number"||typeof b=="boolean"?E[S]=b:b.isMatrix3?(E[S]=b.elements[0],E[S+1]=b.elements[1],E[S+2]=b.elements[2],E[S+3]=0,E[S+4]=b.elements[3],E[S+5]=b.elements[4],E[S+6]=b.elements[5],E[S+7]=0,E[S+8]=b.elements[6],E[S+9]=b.elements[7],E[S+10]=b.elements[8],E[S+11]=0):ArrayBuffer.isView(b)?E.set(b.subarray(0,E.length-S),S):b.toArray(E,S)}function d(b,E,S,A){let T=b.value,x=E+"_"+S;if(Array.isArray(T)){A[x]===void 0&&(A[x]=[]);let M=A[x],U=!1;for(let P=0;P<T.length;P++)f(T[P],M,P)===!0&&(U=!0);return U}return f(T,A,x)}function f(b,E,S){if(E[S]===void 0)return typeof b=="number"||typeof b=="boolean"?E[S]=b:ArrayBuffer.isView(b)?E[S]=b.slice():E[S]=b.clone(),!0;{let A=E[S];if(typeof b=="number"||typeof b=="boolean"){if(A!==b)return E[S]=b,!0}else{if(ArrayBuffer.isView(b))return!0;if(A.equals(b)===!1)return A.copy(b),!0}}return!1}function g(b){let E=b.uniforms,S=0,A=16;for(let x=0,M=E.length;x<M;x++){let U=Array.isArray(E[x])?E[x]:[E[x]];for(let P=0,O=U.length;P<O;P++){let F=U[P],H=Array.isArray(F.value)?F.value:[F.value],L=Array.isArray(E[x])||Array.isArray(F.value),W=S;for(let G=0,it=H.length;G<it;G++){let $=H[G],Q=y($,L),et=S%A,St=et%Q.boundary,Bt=et+St;S+=St,Bt!==0&&A-Bt<Q.storage&&(S+=A-Bt),G===0&&(W=S),S+=Q.storage}let q=F.type==="int"?Int32Array:F.type==="uint"?Uint32Array:Float32Array;F.__data=new q((S-W)/Float32Array.BYTES_PER_ELEMENT),F.__offset=W}}let T=S%A;return T>0&&(S+=A-T),b.__size=S,b.__cache={},this}function y(b,E){let S={boundary:0,storage:0};return typeof b=="number"||typeof b=="boolean"?(S.boundary=4,S.storage=4):b.isVector2?(S.boundary=8,S.storage=8):b.isVector3||b.isColor?(S.boundary=16,S.storage=12):b.isVector4?(S.boundary=16,S.storage=16):b.isMatrix3?(S.boundary=16,S.storage=48):b.isMatrix4?(S.boundary=16,S.storage=64):b.isTexture?Ct("WebGLRenderer: Texture samplers can not be part of an uniforms group."):ArrayBuffer.isView(b)?(S.boundary=16,S.storage=b.byteLength):Ct("WebGLRenderer: Unsupported uniform value type.",b),E===!0&&(S.boundary=16,S.storage=Math.ceil(S.storage/16)*16),S}function m(b){let E=b.target;E.removeEventListener("dispose",m),i.deleteBuffer(s[E.id]),delete s[E.id],delete r[E.id]}function p(){for(let b in s)i.deleteBuffer(s[b]);s={},r={}}return{bind:o,update:a,dispose:p}}var mb=new Uint16Array([12469,15057,12620,14925,13266,14620,13807,14376,14323,13990,14545,13625,14713,13328,14840,12882,14931,12528,14996,12233,15039,11829,15066,11525,15080,11295,15085,10976,15082,10705,15073,10495,13880,14564,13898,14542,13977,14430,14158,14124,14393,13732,14556,13410,14702,12996,14814,12596,14891,12291,14937,11834,14957,11489,14958,11194,14943,10803,14921,10506,14893,10278,14858,9960,14484,14039,14487,14025,14499,13941,14524,13740,14574,13468,14654,13106,14743,12678,14818,12344,14867,11893,14889,11509,14893,11180,14881,10751,14852,10428,14812,10128,14765,9754,14712,9466,14764,13480,14764,13475,14766,13440,14766,13347,14769,13070,14786,12713,14816,12387,14844,11957,14860,11549,14868,11215,14855,10751,14825,10403,14782,10044,14729,9651,14666,9352,14599,9029,14967,12835,14966,12831,14963,12804,14954,12723,14936,12564,14917,12347,14900,11958,14886,11569,14878,11247,14859,10765,14828,10401,14784,10011,14727,9600,14660,9289,14586,8893,14508,8533,15111,12234,15110,12234,15104,12216,15092,12156,15067,12010,15028,11776,14981,11500,14942,11205,14902,10752,14861,10393,14812,9991,14752,9570,14682,9252,14603,8808,14519,8445,14431,8145,15209,11449,15208,11451,15202,11451,15190,11438,15163,11384,15117,11274,15055,10979,14994,10648,14932,10343,14871,9936,14803,9532,14729,9218,14645,8742,14556,8381,14461,8020,14365,7603,15273,10603,15272,10607,15267,10619,15256,10631,15231,10614,15182,10535,15118,10389,15042,10167,14963,9787,14883,9447,14800,9115,14710,8665,14615,8318,14514,7911,14411,7507,14279,7198,15314,9675,15313,9683,15309,9712,15298,9759,15277,9797,15229,9773,15166,9668,15084,9487,14995,9274,14898,8910,14800,8539,14697,8234,14590,7790,14479,7409,14367,7067,14178,6621,15337,8619,15337,8631,15333,8677,15325,8769,15305,8871,15264,8940,15202,8909,15119,8775,15022,8565,14916,8328,14804,8009,14688,7614,14569,7287,14448,6888,14321,6483,14088,6171,15350,7402,15350,7419,15347,7480,15340,7613,15322,7804,15287,7973,15229,8057,15148,8012,15046,7846,14933,7611,14810,7357,14682,7069,14552,6656,14421,6316,14251,5948,14007,5528,15356,5942,15356,5977,15353,6119,15348,6294,15332,6551,15302,6824,15249,7044,15171,7122,15070,7050,14949,6861,14818,6611,14679,6349,14538,6067,14398,5651,14189,5311,13935,4958,15359,4123,15359,4153,15356,4296,15353,4646,15338,5160,15311,5508,15263,5829,15188,6042,15088,6094,14966,6001,14826,5796,14678,5543,14527,5287,14377,4985,14133,4586,13869,4257,15360,1563,15360,1642,15358,2076,15354,2636,15341,3350,15317,4019,15273,4429,15203,4732,15105,4911,14981,4932,14836,4818,14679,4621,14517,4386,14359,4156,14083,3795,13808,3437,15360,122,15360,137,15358,285,15355,636,15344,1274,15322,2177,15281,2765,15215,3223,15120,3451,14995,3569,14846,3567,14681,3466,14511,3305,14344,3121,14037,2800,13753,2467,15360,0,15360,1,15359,21,15355,89,15346,253,15325,479,15287,796,15225,1148,15133,1492,15008,1749,14856,1882,14685,1886,14506,1783,14324,1608,13996,1398,13702,1183]),Gn=null;function gb(){return Gn===null&&(Gn=new _r(mb,16,16,Di,Ln),Gn.name="DFG_LUT",Gn.minFilter=Ye,Gn.magFilter=Ye,Gn.wrapS=kn,Gn.wrapT=kn,Gn.generateMipmaps=!1,Gn.needsUpdate=!0),Gn}var Ul=class{constructor(t={}){let{canvas:e=tp(),context:n=null,depth:s=!0,stencil:r=!1,alpha:o=!1,antialias:a=!1,premultipliedAlpha:l=!0,preserveDrawingBuffer:c=!1,powerPreference:h="default",failIfMajorPerformanceCaveat:u=!1,reversedDepthBuffer:d=!1,outputBufferType:f=tn}=t;this.isWebGLRenderer=!0;let g;if(n!==null){if(typeof WebGLRenderingContext<"u"&&n instanceof WebGLRenderingContext)throw new Error("THREE.WebGLRenderer: WebGL 1 is not supported since r163.");g=n.getContextAttributes().alpha}else g=o;let y=f,m=new Set([el,tl,Qa]),p=new Set([tn,In,$s,rs,Ka,Ja]),b=new Uint32Array(4),E=new Int32Array(4),S={textures:[],min:[],max:[],resolution:[]},A=null,T=null,x=[],M=[],U=null;this.domElement=e,this.debug={checkShaderErrors:!0,diagnostics:{keywords:!1},onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this.toneMapping=Hn,this.toneMappingExposure=1,this.transmissionResolutionScale=1;let P=this,O=!1,F=null,H=null,L=null,W=null;this._outputColorSpace=on;let q=0,G=0,it=null,$=-1,Q=null,et=new me,St=new me,Bt=null,K=new Dt(0),gt=0,_t=e.width,Rt=e.height,xt=1,Ht=null,_e=null,It=new me(0,0,_t,Rt),re=new me(0,0,_t,Rt),le=!1,Kt=new Ei,Ue=new Aa,Se=!1,je=!1,ge=new Zt,Dn=new I,Re=new me,un={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0},dn=!1;function fn(){return it===null?xt:1}let D=n;function pn(_,N){return e.getContext(_,N)}let fe,pe,ft,we,Pt,kt,w,v,B,nt,j,ot,ut,Y,Z,lt,R,J,X,ct,rt,at,Tt;try{let _={alpha:!0,depth:s,stencil:r,antialias:a,premultipliedAlpha:l,preserveDrawingBuffer:c,powerPreference:h,failIfMajorPerformanceCaveat:u};if("setAttribute"in e&&e.setAttribute("data-engine",`three.js r${"187"}`),e.addEventListener("webglcontextlost",At,!1),e.addEventListener("webglcontextrestored",Gt,!1),e.addEventListener("webglcontextcreationerror",pt,!1),D===null){let N="webgl2";if(D=pn(N,_),D===null)throw pn(N)?new Error("THREE.WebGLRenderer: Error creating WebGL context with your selected attributes."):new Error("THREE.WebGLRenderer: Error creating WebGL context.")}Wt()}catch(_){throw e.removeEventListener("webglcontextlost",At,!1),e.removeEventListener("webglcontextrestored",Gt,!1),e.removeEventListener("webglcontextcreationerror",pt,!1),Ut("WebGLRenderer: "+_.message),_}function Wt(){fe=new Ay(D),fe.init(),rt=new cb(D,fe),pe=new gy(D,fe,t,rt),ft=new ab(D,fe),pe.reversedDepthBuffer&&d&&ft.buffers.depth.setReversed(!0),H=D.createFramebuffer(),L=D.createFramebuffer(),W=D.createFramebuffer(),we=new Py(D),Pt=new q_,kt=new lb(D,fe,ft,Pt,pe,rt,we),w=new Ey(P),v=new L0(D),at=new py(D,v),B=new Cy(D,v,we,at),nt=new Ly(D,B,v,at,we),J=new Iy(D,pe,kt),Z=new xy(Pt),j=new $_(P,w,fe,pe,at,Z),ot=new fb(P,Pt),ut=new Z_,Y=new eb(fe),R=new fy(P,w,ft,nt,g,l),lt=new ob(P,nt,pe),Tt=new pb(D,we,pe,ft),X=new my(D,fe,we),ct=new Ry(D,fe,we),we.programs=j.programs,P.capabilities=pe,P.extensions=fe,P.properties=Pt,P.renderLists=ut,P.shadowMap=lt,P.state=ft,P.info=we}y!==tn&&(U=new Dy(y,e.width,e.height,a,s,r));let st=new jh(P,D);this.xr=st,this.getContext=function(){return D},this.getContextAttributes=function(){return D.getContextAttributes()},this.forceContextLoss=function(){let _=fe.get("WEBGL_lose_context");_&&_.loseContext()},this.forceContextRestore=function(){let _=fe.get("WEBGL_lose_context");_&&_.restoreContext()},this.getPixelRatio=function(){return xt},this.setPixelRatio=function(_){_!==void 0&&(xt=_,this.setSize(_t,Rt,!1))},this.getSize=function(_){return _.set(_t,Rt)},this.setSize=function(_,N,V=!0){if(st.isPresenting){Ct("WebGLRenderer: Can't change size while VR device is presenting.");return}_t=_,Rt=N,e.width=Math.floor(_*xt),e.height=Math.floor(N*xt),V===!0&&(e.style.width=_+"px",e.style.height=N+"px"),U!==null&&U.setSize(e.width,e.height),this.setViewport(0,0,_,N)},this.getDrawingBufferSize=function(_){return _.set(_t*xt,Rt*xt).floor()},this.setDrawingBufferSize=function(_,N,V){_t=_,Rt=N,xt=V,e.width=Math.floor(_*V),e.height=Math.floor(N*V),this.setViewport(0,0,_,N)},this.setEffects=function(_){if(y===tn){Ut("WebGLRenderer: setEffects() requires outputBufferType set to HalfFloatType or FloatType.");return}if(_){for(let N=0;N<_.length;N++)if(_[N].isOutputPass===!0){Ct("WebGLRenderer: OutputPass is not needed in setEffects(). Tone mapping and color space conversion are applied automatically.");break}}U.setEffects(_||[])},this.getCurrentViewport=function(_){return _.copy(et)},this.getViewport=function(_){return _.copy(It)},this.setViewport=function(_,N,V,k){_.isVector4?It.set(_.x,_.y,_.z,_.w):It.set(_,N,V,k),ft.viewport(et.copy(It).multiplyScalar(fn()).round())},this.getScissor=function(_){return _.copy(re)},this.setScissor=function(_,N,V,k){_.isVector4?re.set(_.x,_.y,_.z,_.w):re.set(_,N,V,k),ft.scissor(St.copy(re).multiplyScalar(fn()).round())},this.getScissorTest=function(){return le},this.setScissorTest=function(_){ft.setScissorTest(le=_)},this.setOpaqueSort=function(_){Ht=_},this.setTransparentSort=function(_){_e=_},this.getClearColor=function(_){return _.copy(R.getClearColor())},this.setClearColor=function(){R.setClearColor(...arguments)},this.getClearAlpha=function(){return R.getClearAlpha()},this.setClearAlpha=function(){R.setClearAlpha(...arguments)},this.clear=function(_=!0,N=!0,V=!0){let k=0;if(_){let z=!1;if(it!==null){let dt=it.texture.format;z=m.has(dt)}if(z){let dt=it.texture.type,yt=p.has(dt),ht=R.getClearColor(),vt=R.getClearAlpha(),wt=ht.r,zt=ht.g,Jt=ht.b;yt?(b[0]=wt,b[1]=zt,b[2]=Jt,b[3]=vt,D.clearBufferuiv(D.COLOR,0,b)):(E[0]=wt,E[1]=zt,E[2]=Jt,E[3]=vt,D.clearBufferiv(D.COLOR,0,E))}else k|=D.COLOR_BUFFER_BIT}N&&(k|=D.DEPTH_BUFFER_BIT,this.state.buffers.depth.setMask(!0)),V&&(k|=D.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),k!==0&&D.clear(k)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.setNodesHandler=function(_){_.setRenderer(this),F=_},this.dispose=function(){e.removeEventListener("webglcontextlost",At,!1),e.removeEventListener("webglcontextrestored",Gt,!1),e.removeEventListener("webglcontextcreationerror",pt,!1),R.dispose(),ut.dispose(),Y.dispose(),kt.dispose(),Pt.dispose(),w.dispose(),nt.dispose(),B.dispose(),at.dispose(),Tt.dispose(),j.dispose(),st.dispose(),st.removeEventListener("sessionstart",pu),st.removeEventListener("sessionend",mu),ki.stop()};function At(_){_.preventDefault(),Dh("WebGLRenderer: Context Lost."),O=!0}function Gt(){Dh("WebGLRenderer: Context Restored."),O=!1;let _=we.autoReset,N=lt.enabled,V=lt.autoUpdate,k=lt.needsUpdate,z=lt.type;Wt(),we.autoReset=_,lt.enabled=N,lt.autoUpdate=V,lt.needsUpdate=k,lt.type=z}function pt(_){Ut("WebGLRenderer: A WebGL context could not be created. Reason: ",_.statusMessage)}function oe(_){let N=_.target;N.removeEventListener("dispose",oe),Pe(N)}function Pe(_){fi(_),Pt.remove(_)}function fi(_){let N=Pt.get(_).programs;N!==void 0&&(N.forEach(function(V){j.releaseProgram(V)}),_.isShaderMaterial&&j.releaseShaderCache(_))}this.renderBufferDirect=function(_,N,V,k,z,dt){N===null&&(N=un);let yt=z.isMesh&&z.matrixWorld.determinantAffine()<0,ht=Cm(_,N,V,k,z);ft.setMaterial(k,yt);let vt=V.index,wt=1;if(k.wireframe===!0){if(vt=B.getWireframeAttribute(V),vt===void 0)return;wt=2}let zt=V.drawRange,Jt=V.attributes.position,bt=zt.start*wt,jt=(zt.start+zt.count)*wt;dt!==null&&(bt=Math.max(bt,dt.start*wt),jt=Math.min(jt,(dt.start+dt.count)*wt)),vt!==null?(bt=Math.max(bt,0),jt=Math.min(jt,vt.count)):Jt!=null&&(bt=Math.max(bt,0),jt=Math.min(jt,Jt.count));let be=jt-bt;if(be<0||be===1/0)return;at.setup(z,k,ht,V,vt);let he,ce=X;if(vt!==null&&(he=v.get(vt),ce=ct,ce.setIndex(he)),z.isMesh)k.wireframe===!0?(ft.setLineWidth(k.wireframeLinewidth*fn()),ce.setMode(D.LINES)):ce.setMode(D.TRIANGLES);else if(z.isLine){let Be=k.linewidth;Be===void 0&&(Be=1),ft.setLineWidth(Be*fn()),z.isLineSegments?ce.setMode(D.LINES):z.isLineLoop?ce.setMode(D.LINE_LOOP):ce.setMode(D.LINE_STRIP)}else z.isPoints?ce.setMode(D.POINTS):z.isSprite&&ce.setMode(D.TRIANGLES);if(z.isBatchedMesh)if(fe.get("WEBGL_multi_draw"))ce.renderMultiDraw(z._multiDrawStarts,z._multiDrawCounts,z._multiDrawCount);else{let Be=z._multiDrawStarts,Mt=z._multiDrawCounts,We=z._multiDrawCount,ne=vt?v.get(vt).bytesPerElement:1,Bi=Pt.get(k).currentProgram.getUniforms();for(let ze=0;ze<We;ze++)Bi.setValue(D,"_gl_DrawID",ze),ce.render(Be[ze]/ne,Mt[ze])}else if(z.isInstancedMesh)ce.renderInstances(bt,be,z.count);else if(V.isInstancedBufferGeometry){let Be=V._maxInstanceCount!==void 0?V._maxInstanceCount:1/0,Mt=Math.min(V.instanceCount,Be);ce.renderInstances(bt,be,Mt)}else ce.render(bt,be)};function fu(_,N,V,k){F!==null&&_.isNodeMaterial&&F.setObject(k,_),Se===!0&&Z.setState(_,V,!1),_.transparent===!0&&_.side===hn&&_.forceSinglePass===!1?(_.side=Je,_.needsUpdate=!0,Ks(_,N,k),_.side=Ni,_.needsUpdate=!0,Ks(_,N,k),_.side=hn):Ks(_,N,k)}this.compile=function(_,N,V=null){V===null&&(V=_),F!==null&&F.renderStart(_,N,V),T=Y.get(V),T.init(N),M.push(T),V.traverseVisible(function(z){z.isLight&&z.layers.test(N.layers)&&(T.pushLight(z),z.castShadow&&T.pushShadow(z))}),_!==V&&_.traverseVisible(function(z){z.isLight&&z.layers.test(N.layers)&&(T.pushLight(z),z.castShadow&&T.pushShadow(z))}),T.setupLights(),F!==null&&F.updateLights(T.state.lightsArray),je=this.localClippingEnabled,Se=Z.init(this.clippingPlanes,je),Se===!0&&Z.setGlobalState(this.clippingPlanes,N),F!==null&&lt.render(T.state.shadowsArray,V,N);let k=new Set;return _.traverse(function(z){if(!(z.isMesh||z.isPoints||z.isLine||z.isSprite))return;let dt=z.material;if(dt)if(Array.isArray(dt))for(let yt=0;yt<dt.length;yt++){let ht=dt[yt];fu(ht,V,N,z),k.add(ht)}else fu(dt,V,N,z),k.add(dt)}),T=M.pop(),F!==null&&F.renderEnd(),k},this.compileAsync=function(_,N,V=null){let k=this.compile(_,N,V);return new Promise(z=>{function dt(){if(k.forEach(function(yt){let vt=Pt.get(yt).currentProgram;(vt===void 0||vt.isReady())&&k.delete(yt)}),k.size===0){z(_);return}setTimeout(dt,10)}fe.get("KHR_parallel_shader_compile")!==null?dt():setTimeout(dt,10)})};let dc=null;function Em(_){dc&&dc(_)}function pu(){ki.stop()}function mu(){ki.start()}let ki=new Ip;ki.setAnimationLoop(Em),typeof self<"u"&&ki.setContext(self),this.setAnimationLoop=function(_){dc=_,st.setAnimationLoop(_),_===null?ki.stop():ki.start()},st.addEventListener("sessionstart",pu),st.addEventListener("sessionend",mu),this.render=function(_,N){if(N!==void 0&&N.isCamera!==!0){Ut("WebGLRenderer.render: camera is not an instance of THREE.Camera.");return}if(O===!0)return;F!==null&&F.renderStart(_,N);let V=st.enabled===!0&&st.isPresenting===!0,k=U!==null&&(it===null||V)&&U.begin(P,it);if(_.matrixWorldAutoUpdate===!0&&_.updateMatrixWorld(),N.parent===null&&N.matrixWorldAutoUpdate===!0&&N.updateMatrixWorld(),st.enabled===!0&&st.isPresenting===!0&&(U===null||U.isCompositing()===!1)&&(st.cameraAutoUpdate===!0&&st.updateCamera(N),N=st.getCamera()),_.isScene===!0&&_.onBeforeRender(P,_,N,it),T=Y.get(_,M.length),T.init(N),T.state.textureUnits=kt.getTextureUnits(),M.push(T),ge.multiplyMatrices(N.projectionMatrix,N.matrixWorldInverse),N.isArrayCamera?Ue.setFromArrayCamera(N):Kt.setFromProjectionMatrix(ge,yn,N.reversedDepth),je=this.localClippingEnabled,Se=Z.init(this.clippingPlanes,je),A=ut.get(_,x.length),A.init(),x.push(A),this.info.render.frame++,st.enabled===!0&&st.isPresenting===!0){let yt=P.xr.getDepthSensingMesh();yt!==null&&fc(yt,N,-1/0,P.sortObjects)}fc(_,N,0,P.sortObjects),A.finish(),F!==null&&F.updateLights(T.state.lightsArray),P.sortObjects===!0&&A.sort(Ht,_e),dn=st.enabled===!1||st.isPresenting===!1||st.hasDepthSensing()===!1,dn&&R.addToRenderList(A,_),this.info.autoReset===!0&&this.info.reset(),Se===!0&&Z.beginShadows();let z=T.state.shadowsArray;if(lt.render(z,_,N),Se===!0&&Z.endShadows(),(k&&U.hasRenderPass())===!1){let yt=A.opaque,ht=A.transmissive;if(T.setupLights(),N.isArrayCamera){let vt=N.cameras;if(ht.length>0)for(let wt=0,zt=vt.length;wt<zt;wt++){let Jt=vt[wt];xu(yt,ht,_,Jt)}dn&&R.render(_);for(let wt=0,zt=vt.length;wt<zt;wt++){let Jt=vt[wt];gu(A,_,Jt,Jt.viewport)}}else ht.length>0&&xu(yt,ht,_,N),dn&&R.render(_),gu(A,_,N)}it!==null&&G===0&&(kt.updateMultisampleRenderTarget(it),kt.updateRenderTargetMipmap(it)),k&&U.end(P),_.isScene===!0&&_.onAfterRender(P,_,N),at.resetDefaultState(),$=-1,Q=null,M.pop(),M.length>0?(T=M[M.length-1],kt.setTextureUnits(T.state.textureUnits),Se===!0&&Z.setGlobalState(P.clippingPlanes,T.state.camera)):T=null,x.pop(),x.length>0?A=x[x.length-1]:A=null,F!==null&&F.renderEnd()};function fc(_,N,V,k){if(_.visible===!1)return;if(_.layers.test(N.layers)){if(_.isGroup)V=_.renderOrder;else if(_.isLOD)_.autoUpdate===!0&&_.update(N);else if(_.isLight)T.pushLight(_),_.castShadow&&T.pushShadow(_);else if(_.isSprite){let yt=N.isArrayCamera?Ue:Kt;if(!_.frustumCulled||_.intersectsFrustum(yt)){k&&Re.setFromMatrixPosition(_.matrixWorld).applyMatrix4(ge);let ht=nt.update(_),vt=_.material;vt.visible&&A.push(_,ht,vt,V,Re.z,null,N)}}else if(_.isMesh||_.isLine||_.isPoints){let yt=N.isArrayCamera?Ue:Kt;if(!_.frustumCulled||_.intersectsFrustum(yt)){let ht=nt.update(_),vt=_.material;if(k&&(_.boundingSphere!==void 0?(_.boundingSphere===null&&_.computeBoundingSphere(),Re.copy(_.boundingSphere.center)):(ht.boundingSphere===null&&ht.computeBoundingSphere(),Re.copy(ht.boundingSphere.center)),Re.applyMatrix4(_.matrixWorld).applyMatrix4(ge)),Array.isArray(vt)){let wt=ht.groups;for(let zt=0,Jt=wt.length;zt<Jt;zt++){let bt=wt[zt],jt=vt[bt.materialIndex];jt&&jt.visible&&A.push(_,ht,jt,V,Re.z,bt,N)}}else vt.visible&&A.push(_,ht,vt,V,Re.z,null,N)}}}let dt=_.children;for(let yt=0,ht=dt.length;yt<ht;yt++)fc(dt[yt],N,V,k)}function gu(_,N,V,k){let{opaque:z,transmissive:dt,transparent:yt}=_;T.setupLightsView(V),Se===!0&&Z.setGlobalState(P.clippingPlanes,V),k&&ft.viewport(et.copy(k)),z.length>0&&eo(z,N,V),dt.length>0&&eo(dt,N,V),yt.length>0&&eo(yt,N,V),ft.buffers.depth.setTest(!0),ft.buffers.depth.setMask(!0),ft.buffers.color.setMask(!0),ft.setPolygonOffset(!1)}function xu(_,N,V,k){if((V.isScene===!0?V.overrideMaterial:null)!==null)return;if(T.state.transmissionRenderTarget[k.id]===void 0){let bt=fe.has("EXT_color_buffer_half_float")||fe.has("EXT_color_buffer_float");T.state.transmissionRenderTarget[k.id]=new ln(1,1,{generateMipmaps:!0,type:bt?Ln:tn,minFilter:hi,samples:Math.max(4,pe.samples),stencilBuffer:r,resolveDepthBuffer:!1,resolveStencilBuffer:!1,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,colorSpace:Qt.workingColorSpace})}let dt=T.state.transmissionRenderTarget[k.id],yt=k.viewport||et;dt.setSize(yt.z*P.transmissionResolutionScale,yt.w*P.transmissionResolutionScale);let ht=P.getRenderTarget(),vt=P.getActiveCubeFace(),wt=P.getActiveMipmapLevel();P.setRenderTarget(dt),P.getClearColor(K),gt=P.getClearAlpha(),gt<1&&P.setClearColor(16777215,.5),P.clear(),dn&&R.render(V);let zt=P.toneMapping;P.toneMapping=Hn;let Jt=k.viewport;if(k.viewport!==void 0&&(k.viewport=void 0),T.setupLightsView(k),Se===!0&&Z.setGlobalState(P.clippingPlanes,k),eo(_,V,k),kt.updateMultisampleRenderTarget(dt),kt.updateRenderTargetMipmap(dt),fe.has("WEBGL_multisampled_render_to_texture")===!1){let bt=!1;for(let jt=0,be=N.length;jt<be;jt++){let he=N[jt],{object:ce,geometry:Be,material:Mt,group:We}=he;if(Mt.side===hn&&ce.layers.test(k.layers)){let ne=Mt.side;Mt.side=Je,Mt.needsUpdate=!0,vu(ce,V,k,Be,Mt,We),Mt.side=ne,Mt.needsUpdate=!0,bt=!0}}bt===!0&&(kt.updateMultisampleRenderTarget(dt),kt.updateRenderTargetMipmap(dt))}P.setRenderTarget(ht,vt,wt),P.setClearColor(K,gt),Jt!==void 0&&(k.viewport=Jt),P.toneMapping=zt}function eo(_,N,V){let k=N.isScene===!0?N.overrideMaterial:null;for(let z=0,dt=_.length;z<dt;z++){let yt=_[z],{object:ht,geometry:vt,group:wt}=yt,zt=yt.material;zt.allowOverride===!0&&k!==null&&(zt=k),ht.layers.test(V.layers)&&vu(ht,N,V,vt,zt,wt)}}function vu(_,N,V,k,z,dt){F!==null&&z.isNodeMaterial&&F.setObject(_,z),_.onBeforeRender(P,N,V,k,z,dt),_.modelViewMatrix.multiplyMatrices(V.matrixWorldInverse,_.matrixWorld),_.normalMatrix.getNormalMatrix(_.modelViewMatrix),z.onBeforeRender(P,N,V,k,_,dt),z.transparent===!0&&z.side===hn&&z.forceSinglePass===!1?(z.side=Je,z.needsUpdate=!0,P.renderBufferDirect(V,N,k,z,_,dt),z.side=Ni,z.needsUpdate=!0,P.renderBufferDirect(V,N,k,z,_,dt),z.side=hn):P.renderBufferDirect(V,N,k,z,_,dt),_.onAfterRender(P,N,V,k,z,dt)}function yu(_){let N=0;for(let V of _)V.texture!==null&&N++;return N}function Ks(_,N,V){N.isScene!==!0&&(N=un);let k=Pt.get(_),z=T.state.lights,dt=T.state.shadowsArray,yt=z.state.version,ht=j.getParameters(_,z.state,dt,N,V,T.state.lightProbeGridArray),vt=j.getProgramCacheKey(ht),wt=k.programs;k.environment=_.isMeshStandardMaterial||_.isMeshLambertMaterial||_.isMeshPhongMaterial?N.environment:null,k.fog=N.fog;let zt=_.isMeshStandardMaterial||_.isMeshLambertMaterial&&!_.envMap||_.isMeshPhongMaterial&&!_.envMap;k.envMap=w.get(_.envMap||k.environment,zt),k.envMapRotation=k.environment!==null&&_.envMap===null?N.environmentRotation:_.envMapRotation,wt===void 0&&(_.addEventListener("dispose",oe),wt=new Map,k.programs=wt,k.programVariants=new Map);let Jt=wt.get(vt);if(Jt!==void 0){if(k.currentProgram===Jt&&k.lightsStateVersion===yt)return bu(_,ht),Jt}else ht.uniforms=j.getUniforms(_),F!==null&&_.isNodeMaterial&&F.build(_,V,ht),_.onBeforeCompile(ht,P),Jt=j.acquireProgram(ht,vt),wt.set(vt,Jt),k.uniforms=ht.uniforms;let bt=k.uniforms;return(!_.isShaderMaterial&&!_.isRawShaderMaterial||_.clipping===!0)&&(bt.clippingPlanes=Z.uniform),bu(_,ht),k.needsLights=Pm(_),k.lightsStateVersion=yt,k.needsLights&&(bt.ambientLightColor.value=z.state.ambient,bt.lightProbe.value=z.state.probe,bt.sunLights.value=z.state.sun,bt.sunLightShadows.value=z.state.sunShadow,bt.directionalLights.value=z.state.directional,bt.directionalLightShadows.value=z.state.directionalShadow,bt.spotLights.value=z.state.spot,bt.spotLightShadows.value=z.state.spotShadow,bt.rectAreaLights.value=z.state.rectArea,bt.ltc_1.value=z.state.rectAreaLTC1,bt.ltc_2.value=z.state.rectAreaLTC2,bt.pointLights.value=z.state.point,bt.pointLightShadows.value=z.state.pointShadow,bt.hemisphereLights.value=z.state.hemi,bt.sunShadowMatrix.value=z.state.sunShadowMatrix,bt.sunShadowCascade.value=z.state.sunShadowCascade,bt.directionalShadowMatrix.value=z.state.directionalShadowMatrix,bt.spotLightMatrix.value=z.state.spotLightMatrix,bt.spotLightMap.value=z.state.spotLightMap,bt.pointShadowMatrix.value=z.state.pointShadowMatrix),k.numLightProbeGrids=yu(T.state.lightProbeGridArray),k.currentProgram=Jt,k.uniformsList=null,Jt}function Am(_,N,V,k,z){let dt=Pt.get(_),yt=dt.currentProgram.id+","+k+","+z,ht=dt.programVariants.get(yt);return ht===void 0?(ht=Ks(_,N,V),dt.programVariants.set(yt,ht)):(dt.currentProgram=ht,dt.uniformsList=null,dt.outputColorSpace=k,dt.toneMapping=z),ht}function _u(_){if(_.uniformsList===null){let N=_.currentProgram.getUniforms();_.uniformsList=Ys.seqWithValue(N.seq,_.uniforms)}return _.uniformsList}function bu(_,N){let V=Pt.get(_);V.outputColorSpace=N.outputColorSpace,V.batching=N.batching,V.batchingColor=N.batchingColor,V.instancing=N.instancing,V.instancingColor=N.instancingColor,V.instancingMorph=N.instancingMorph,V.skinning=N.skinning,V.morphTargets=N.morphTargets,V.morphNormals=N.morphNormals,V.morphColors=N.morphColors,V.morphTargetsCount=N.morphTargetsCount,V.numClippingPlanes=N.numClippingPlanes,V.numIntersection=N.numClipIntersection,V.vertexAlphas=N.vertexAlphas,V.vertexTangents=N.vertexTangents,V.toneMapping=N.toneMapping}function Cm(_,N,V,k,z){N.isScene!==!0&&(N=un),kt.resetTextureUnits();let dt=N.fog,yt=k.isMeshStandardMaterial||k.isMeshLambertMaterial||k.isMeshPhongMaterial?N.environment:null,ht=it===null?P.outputColorSpace:it.isXRRenderTarget===!0?it.texture.colorSpace:Qt.workingColorSpace,vt=k.isMeshStandardMaterial||k.isMeshLambertMaterial&&!k.envMap||k.isMeshPhongMaterial&&!k.envMap,wt=w.get(k.envMap||yt,vt),zt=k.vertexColors===!0&&!!V.attributes.color&&V.attributes.color.itemSize===4,Jt=!!V.attributes.tangent&&(!!k.normalMap||k.anisotropy>0),bt=!!V.morphAttributes.position,jt=!!V.morphAttributes.normal,be=!!V.morphAttributes.color,he=Hn;k.toneMapped&&(it===null||it.isXRRenderTarget===!0)&&(he=P.toneMapping);let ce=V.morphAttributes.position||V.morphAttributes.normal||V.morphAttributes.color,Be=ce!==void 0?ce.length:0,Mt=Pt.get(k),We=T.state.lights;if(Se===!0&&(je===!0||_!==Q)){let xe=_===Q&&k.id===$;Z.setState(k,_,xe)}let ne=!1,Bi=!1;k.version===Mt.__version?Mt.needsLights&&Mt.lightsStateVersion!==We.state.version||z.isBatchedMesh&&Mt.batching===!1||!z.isBatchedMesh&&Mt.batching===!0||z.isBatchedMesh&&Mt.batchingColor===!0&&z._colorsTexture===null||z.isBatchedMesh&&Mt.batchingColor===!1&&z._colorsTexture!==null||z.isInstancedMesh&&Mt.instancing===!1||!z.isInstancedMesh&&Mt.instancing===!0||z.isSkinnedMesh&&Mt.skinning===!1||!z.isSkinnedMesh&&Mt.skinning===!0||z.isInstancedMesh&&Mt.instancingColor===!0&&z.instanceColor===null||z.isInstancedMesh&&Mt.instancingColor===!1&&z.instanceColor!==null||z.isInstancedMesh&&Mt.instancingMorph===!0&&z.morphTexture===null||z.isInstancedMesh&&Mt.instancingMorph===!1&&z.morphTexture!==null||Mt.envMap!==wt||k.fog===!0&&Mt.fog!==dt||Mt.numClippingPlanes!==void 0&&(Mt.numClippingPlanes!==Z.numPlanes||Mt.numIntersection!==Z.numIntersection)||Mt.vertexAlphas!==zt||Mt.vertexTangents!==Jt||Mt.morphTargets!==bt||Mt.morphNormals!==jt||Mt.morphColors!==be||Mt.morphTargetsCount!==Be||Mt.numLightProbeGrids!==yu(T.state.lightProbeGridArray)?ne=!0:(Mt.outputColorSpace!==ht||Mt.toneMapping!==he)&&(Bi=!0):(ne=!0,Mt.__version=k.version);let ze=Mt.currentProgram;(ne===!0||Bi===!0)&&(ze=Bi===!0?Am(k,N,z,ht,he):Ks(k,N,z),F&&k.isNodeMaterial&&F.onUpdateProgram(k,ze,Mt));let no=!1,pi=!1,zi=!1,ee=ze.getUniforms(),Oe=Mt.uniforms;if(ft.useProgram(ze.program)&&(no=!0,pi=!0,zi=!0),k.id!==$&&($=k.id,pi=!0),no||Q!==_){ft.buffers.depth.getReversed()&&_.reversedDepth!==!0&&(_._reversedDepth=!0,_.updateProjectionMatrix()),ee.setValue(D,"projectionMatrix",_.projectionMatrix),ee.setValue(D,"viewMatrix",_.matrixWorldInverse);let Ie=ee.map.cameraPosition;Ie!==void 0&&Ie.setValue(D,Dn.setFromMatrixPosition(_.matrixWorld)),pe.logarithmicDepthBuffer&&ee.setValue(D,"logDepthBufFC",2/(Math.log(_.far+1)/Math.LN2)),(k.isMeshPhongMaterial||k.isMeshToonMaterial||k.isMeshLambertMaterial||k.isMeshBasicMaterial||k.isMeshStandardMaterial||k.isShaderMaterial)&&ee.setValue(D,"isOrthographic",_.isOrthographicCamera===!0),Q!==_&&(Q=_,pi=!0,zi=!0)}if(Mt.needsLights&&(We.state.sunShadowMap.length>0&&ee.setValue(D,"sunShadowMap",We.state.sunShadowMap,kt),We.state.directionalShadowMap.length>0&&ee.setValue(D,"directionalShadowMap",We.state.directionalShadowMap,kt),We.state.spotShadowMap.length>0&&ee.setValue(D,"spotShadowMap",We.state.spotShadowMap,kt),We.state.pointShadowMap.length>0&&ee.setValue(D,"pointShadowMap",We.state.pointShadowMap,kt)),z.isSkinnedMesh){ee.setOptional(D,z,"bindMatrix"),ee.setOptional(D,z,"bindMatrixInverse");let xe=z.skeleton;xe&&(xe.boneTexture===null&&xe.computeBoneTexture(),ee.setValue(D,"boneTexture",xe.boneTexture,kt))}z.isBatchedMesh&&(ee.setOptional(D,z,"batchingTexture"),ee.setValue(D,"batchingTexture",z._matricesTexture,kt),ee.setOptional(D,z,"batchingIdTexture"),ee.setValue(D,"batchingIdTexture",z._indirectTexture,kt),ee.setOptional(D,z,"batchingColorTexture"),z._colorsTexture!==null&&ee.setValue(D,"batchingColorTexture",z._colorsTexture,kt));let Mn=V.morphAttributes;if((Mn.position!==void 0||Mn.normal!==void 0||Mn.color!==void 0)&&J.update(z,V,ze),(pi||Mt.receiveShadow!==z.receiveShadow)&&(Mt.receiveShadow=z.receiveShadow,ee.setValue(D,"receiveShadow",z.receiveShadow)),(k.isMeshStandardMaterial||k.isMeshLambertMaterial||k.isMeshPhongMaterial)&&k.envMap===null&&N.environment!==null&&(Oe.envMapIntensity.value=N.environmentIntensity),Oe.dfgLUT!==void 0&&(Oe.dfgLUT.value=gb()),pi){if(ee.setValue(D,"toneMappingExposure",P.toneMappingExposure),Mt.needsLights&&Rm(Oe,zi),dt&&k.fog===!0&&ot.refreshFogUniforms(Oe,dt),ot.refreshMaterialUniforms(Oe,k,xt,Rt,T.state.transmissionRenderTarget[_.id]),Mt.needsLights&&Mt.numLightProbeGrids>0){let xe=S,Ie=0;for(let $n of T.state.lightProbeGridArray)$n.texture!==null&&(xe.textures[Ie]=$n.texture,xe.min[Ie]=$n.boundingBox.min,xe.max[Ie]=$n.boundingBox.max,xe.resolution[Ie]=$n.resolution,Ie++);for(let $n in xe)xe[$n].length=Ie;Oe.probesSH.value=xe.textures,Oe.probesMin.value=xe.min,Oe.probesMax.value=xe.max,Oe.probesResolution.value=xe.resolution}Ys.upload(D,_u(Mt),Oe,kt)}if(k.isShaderMaterial&&k.uniformsNeedUpdate===!0&&(Ys.upload(D,_u(Mt),Oe,kt),k.uniformsNeedUpdate=!1),k.isSpriteMaterial&&ee.setValue(D,"center",z.center),ee.setValue(D,"modelViewMatrix",z.modelViewMatrix),ee.setValue(D,"normalMatrix",z.normalMatrix),ee.setValue(D,"modelMatrix",z.matrixWorld),k.uniformsGroups!==void 0){let xe=k.uniformsGroups;for(let Ie=0,$n=xe.length;Ie<$n;Ie++){let Su=xe[Ie];Tt.update(Su,ze),Tt.bind(Su,ze)}}return ze}function Rm(_,N){_.ambientLightColor.needsUpdate=N,_.lightProbe.needsUpdate=N,_.sunLights.needsUpdate=N,_.sunLightShadows.needsUpdate=N,_.directionalLights.needsUpdate=N,_.directionalLightShadows.needsUpdate=N,_.pointLights.needsUpdate=N,_.pointLightShadows.needsUpdate=N,_.spotLights.needsUpdate=N,_.spotLightShadows.needsUpdate=N,_.rectAreaLights.needsUpdate=N,_.hemisphereLights.needsUpdate=N}function Pm(_){return _.isMeshLambertMaterial||_.isMeshToonMaterial||_.isMeshPhongMaterial||_.isMeshStandardMaterial||_.isShadowMaterial||_.isShaderMaterial&&_.lights===!0}this.getActiveCubeFace=function(){return q},this.getActiveMipmapLevel=function(){return G},this.getRenderTarget=function(){return it},this.setRenderTargetTextures=function(_,N,V){let k=Pt.get(_);k.__autoAllocateDepthBuffer=_.resolveDepthBuffer===!1,k.__autoAllocateDepthBuffer===!1&&(k.__useRenderToTexture=!1),Pt.get(_.texture).__webglTexture=N,Pt.get(_.depthTexture).__webglTexture=k.__autoAllocateDepthBuffer?void 0:V,k.__hasExternalTextures=!0},this.setRenderTargetFramebuffer=function(_,N){let V=Pt.get(_);V.__webglFramebuffer=N,V.__useDefaultFramebuffer=N===void 0},this.setRenderTarget=function(_,N=0,V=0){it=_,q=N,G=V;let k=null,z=!1,dt=!1;if(_){let ht=Pt.get(_);if(ht.__useDefaultFramebuffer!==void 0){ft.bindFramebuffer(D.FRAMEBUFFER,ht.__webglFramebuffer),et.copy(_.viewport),St.copy(_.scissor),Bt=_.scissorTest,ft.viewport(et),ft.scissor(St),ft.setScissorTest(Bt),$=-1;return}else if(ht.__webglFramebuffer===void 0)kt.setupRenderTarget(_);else if(ht.__hasExternalTextures)kt.rebindTextures(_,Pt.get(_.texture).__webglTexture,Pt.get(_.depthTexture).__webglTexture);else if(_.depthBuffer){let zt=_.depthTexture;if(ht.__boundDepthTexture!==zt){if(zt!==null&&Pt.has(zt)&&(_.width!==zt.image.width||_.height!==zt.image.height))throw new Error("THREE.WebGLRenderer: Attached DepthTexture is initialized to the incorrect size.");kt.setupDepthRenderbuffer(_)}}let vt=_.texture;(vt.isData3DTexture||vt.isDataArrayTexture||vt.isCompressedArrayTexture)&&(dt=!0);let wt=Pt.get(_).__webglFramebuffer;_.isWebGLCubeRenderTarget?(Array.isArray(wt[N])?k=wt[N][V]:k=wt[N],z=!0):_.samples>0&&kt.useMultisampledRTT(_)===!1?k=Pt.get(_).__webglMultisampledFramebuffer:Array.isArray(wt)?k=wt[V]:k=wt,et.copy(_.viewport),St.copy(_.scissor),Bt=_.scissorTest}else et.copy(It).multiplyScalar(xt).floor(),St.copy(re).multiplyScalar(xt).floor(),Bt=le;if(V!==0&&(k=H),ft.bindFramebuffer(D.FRAMEBUFFER,k)&&ft.drawBuffers(_,k),ft.viewport(et),ft.scissor(St),ft.setScissorTest(Bt),z){let ht=Pt.get(_.texture);D.framebufferTexture2D(D.FRAMEBUFFER,D.COLOR_ATTACHMENT0,D.TEXTURE_CUBE_MAP_POSITIVE_X+N,ht.__webglTexture,V)}else if(dt){let ht=N;for(let vt=0;vt<_.textures.length;vt++){let wt=Pt.get(_.textures[vt]);D.framebufferTextureLayer(D.FRAMEBUFFER,D.COLOR_ATTACHMENT0+vt,wt.__webglTexture,V,ht)}}else if(_!==null&&V!==0){let ht=Pt.get(_.texture);D.framebufferTexture2D(D.FRAMEBUFFER,D.COLOR_ATTACHMENT0,D.TEXTURE_2D,ht.__webglTexture,V)}$=-1};function Mu(_){let N=Pt.get(_);return(N.__readFormat!==_.format||N.__readType!==_.type)&&(N.__readFormat=_.format,N.__readType=_.type,N.__formatReadable=pe.textureFormatReadable(_.format),N.__typeReadable=pe.textureTypeReadable(_.type)),N}this.readRenderTargetPixels=function(_,N,V,k,z,dt,yt,ht=0){if(!(_&&_.isWebGLRenderTarget)){Ut("WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");return}let vt=Pt.get(_).__webglFramebuffer;if(_.isWebGLCubeRenderTarget&&yt!==void 0&&(vt=vt[yt],Array.isArray(vt)&&(vt=vt[0])),vt){ft.bindFramebuffer(D.FRAMEBUFFER,vt);try{let wt=_.textures[ht],zt=wt.format,Jt=wt.type;_.textures.length>1&&D.readBuffer(D.COLOR_ATTACHMENT0+ht);let bt=Mu(wt);if(bt.__formatReadable===!1){Ut("WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.");return}if(bt.__typeReadable===!1){Ut("WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.");return}N>=0&&N<=_.width-k&&V>=0&&V<=_.height-z&&D.readPixels(N,V,k,z,rt.convert(zt),rt.convert(Jt),dt)}finally{let wt=it!==null?Pt.get(it).__webglFramebuffer:null;ft.bindFramebuffer(D.FRAMEBUFFER,wt)}}},this.readRenderTargetPixelsAsync=async function(_,N,V,k,z,dt,yt,ht=0){if(!(_&&_.isWebGLRenderTarget))throw new Error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");let vt=Pt.get(_).__webglFramebuffer;if(_.isWebGLCubeRenderTarget&&yt!==void 0&&(vt=vt[yt],Array.isArray(vt)&&(vt=vt[0])),vt)if(N>=0&&N<=_.width-k&&V>=0&&V<=_.height-z){ft.bindFramebuffer(D.FRAMEBUFFER,vt);let wt=_.textures[ht],zt=wt.format,Jt=wt.type;_.textures.length>1&&D.readBuffer(D.COLOR_ATTACHMENT0+ht);let bt=Mu(wt);if(bt.__formatReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.");if(bt.__typeReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.");let jt=D.createBuffer();D.bindBuffer(D.PIXEL_PACK_BUFFER,jt),D.bufferData(D.PIXEL_PACK_BUFFER,dt.byteLength,D.STREAM_READ),D.readPixels(N,V,k,z,rt.convert(zt),rt.convert(Jt),0),D.bindBuffer(D.PIXEL_PACK_BUFFER,null);let be=it!==null?Pt.get(it).__webglFramebuffer:null;ft.bindFramebuffer(D.FRAMEBUFFER,be);let he=D.fenceSync(D.SYNC_GPU_COMMANDS_COMPLETE,0);return D.flush(),await np(D,he,4),D.bindBuffer(D.PIXEL_PACK_BUFFER,jt),D.getBufferSubData(D.PIXEL_PACK_BUFFER,0,dt),D.bindBuffer(D.PIXEL_PACK_BUFFER,null),D.deleteBuffer(jt),D.deleteSync(he),dt}else throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.")},this.copyFramebufferToTexture=function(_,N=null,V=0){let k=Math.pow(2,-V),z=Math.floor(_.image.width*k),dt=Math.floor(_.image.height*k),yt=N!==null?N.x:0,ht=N!==null?N.y:0;kt.setTexture2D(_,0),D.copyTexSubImage2D(D.TEXTURE_2D,V,0,0,yt,ht,z,dt),ft.unbindTexture()},this.copyTextureToTexture=function(_,N,V=null,k=null,z=0,dt=0){let yt,ht,vt,wt,zt,Jt,bt,jt,be,he=_.isCompressedTexture?_.mipmaps[dt]:_.image;if(V!==null)yt=V.max.x-V.min.x,ht=V.max.y-V.min.y,vt=V.isBox3?V.max.z-V.min.z:1,wt=V.min.x,zt=V.min.y,Jt=V.isBox3?V.min.z:0;else{let ee=Math.pow(2,-z);yt=Math.floor(he.width*ee),ht=Math.floor(he.height*ee),_.isDataArrayTexture?vt=he.depth:_.isData3DTexture?vt=Math.floor(he.depth*ee):vt=1,wt=0,zt=0,Jt=0}k!==null?(bt=k.x,jt=k.y,be=k.z):(bt=0,jt=0,be=0);let ce=rt.convert(N.format),Be=rt.convert(N.type),Mt;N.isData3DTexture?(kt.setTexture3D(N,0),Mt=D.TEXTURE_3D):N.isDataArrayTexture||N.isCompressedArrayTexture?(kt.setTexture2DArray(N,0),Mt=D.TEXTURE_2D_ARRAY):(kt.setTexture2D(N,0),Mt=D.TEXTURE_2D),ft.activeTexture(D.TEXTURE0),ft.pixelStorei(D.UNPACK_FLIP_Y_WEBGL,N.flipY),ft.pixelStorei(D.UNPACK_PREMULTIPLY_ALPHA_WEBGL,N.premultiplyAlpha),ft.pixelStorei(D.UNPACK_ALIGNMENT,N.unpackAlignment);let We=ft.getParameter(D.UNPACK_ROW_LENGTH),ne=ft.getParameter(D.UNPACK_IMAGE_HEIGHT),Bi=ft.getParameter(D.UNPACK_SKIP_PIXELS),ze=ft.getParameter(D.UNPACK_SKIP_ROWS),no=ft.getParameter(D.UNPACK_SKIP_IMAGES);ft.pixelStorei(D.UNPACK_ROW_LENGTH,he.width),ft.pixelStorei(D.UNPACK_IMAGE_HEIGHT,he.height),ft.pixelStorei(D.UNPACK_SKIP_PIXELS,wt),ft.pixelStorei(D.UNPACK_SKIP_ROWS,zt),ft.pixelStorei(D.UNPACK_SKIP_IMAGES,Jt);let pi=_.isDataArrayTexture||_.isData3DTexture,zi=N.isDataArrayTexture||N.isData3DTexture;if(_.isDepthTexture){let ee=Pt.get(_),Oe=Pt.get(N),Mn=Pt.get(ee.__renderTarget),xe=Pt.get(Oe.__renderTarget);ft.bindFramebuffer(D.READ_FRAMEBUFFER,Mn.__webglFramebuffer),ft.bindFramebuffer(D.DRAW_FRAMEBUFFER,xe.__webglFramebuffer);for(let Ie=0;Ie<vt;Ie++)pi&&(D.framebufferTextureLayer(D.READ_FRAMEBUFFER,D.COLOR_ATTACHMENT0,Pt.get(_).__webglTexture,z,Jt+Ie),D.framebufferTextureLayer(D.DRAW_FRAMEBUFFER,D.COLOR_ATTACHMENT0,Pt.get(N).__webglTexture,dt,be+Ie)),D.blitFramebuffer(wt,zt,wt+yt,zt+ht,bt,jt,bt+yt,jt+ht,D.DEPTH_BUFFER_BIT,D.NEAREST);ft.bindFramebuffer(D.READ_FRAMEBUFFER,null),ft.bindFramebuffer(D.DRAW_FRAMEBUFFER,null)}else if(z!==0||_.isRenderTargetTexture||Pt.has(_)){let ee=Pt.get(_),Oe=Pt.get(N);ft.bindFramebuffer(D.READ_FRAMEBUFFER,L),ft.bindFramebuffer(D.DRAW_FRAMEBUFFER,W);for(let Mn=0;Mn<vt;Mn++)pi?D.framebufferTextureLayer(D.READ_FRAMEBUFFER,D.COLOR_ATTACHMENT0,ee.__webglTexture,z,Jt+Mn):D.framebufferTexture2D(D.READ_FRAMEBUFFER,D.COLOR_ATTACHMENT0,D.TEXTURE_2D,ee.__webglTexture,z),zi?D.framebufferTextureLayer(D.DRAW_FRAMEBUFFER,D.COLOR_ATTACHMENT0,Oe.__webglTexture,dt,be+Mn):D.framebufferTexture2D(D.DRAW_FRAMEBUFFER,D.COLOR_ATTACHMENT0,D.TEXTURE_2D,Oe.__webglTexture,dt),z!==0?D.blitFramebuffer(wt,zt,wt+yt,zt+ht,bt,jt,bt+yt,jt+ht,D.COLOR_BUFFER_BIT,D.NEAREST):zi?D.copyTexSubImage3D(Mt,dt,bt,jt,be+Mn,wt,zt,yt,ht):D.copyTexSubImage2D(Mt,dt,bt,jt,wt,zt,yt,ht);ft.bindFramebuffer(D.READ_FRAMEBUFFER,null),ft.bindFramebuffer(D.DRAW_FRAMEBUFFER,null)}else zi?_.isDataTexture||_.isData3DTexture?D.texSubImage3D(Mt,dt,bt,jt,be,yt,ht,vt,ce,Be,he.data):N.isCompressedArrayTexture?D.compressedTexSubImage3D(Mt,dt,bt,jt,be,yt,ht,vt,ce,he.data):D.texSubImage3D(Mt,dt,bt,jt,be,yt,ht,vt,ce,Be,he):_.isDataTexture?D.texSubImage2D(D.TEXTURE_2D,dt,bt,jt,yt,ht,ce,Be,he.data):_.isCompressedTexture?D.compressedTexSubImage2D(D.TEXTURE_2D,dt,bt,jt,he.width,he.height,ce,he.data):D.texSubImage2D(D.TEXTURE_2D,dt,bt,jt,yt,ht,ce,Be,he);ft.pixelStorei(D.UNPACK_ROW_LENGTH,We),ft.pixelStorei(D.UNPACK_IMAGE_HEIGHT,ne),ft.pixelStorei(D.UNPACK_SKIP_PIXELS,Bi),ft.pixelStorei(D.UNPACK_SKIP_ROWS,ze),ft.pixelStorei(D.UNPACK_SKIP_IMAGES,no),dt===0&&N.generateMipmaps===!0&&N.mipmapsAutoUpdate===!0&&D.generateMipmap(Mt),ft.unbindTexture()},this.initRenderTarget=function(_){Pt.get(_).__webglFramebuffer===void 0&&kt.setupRenderTarget(_)},this.initTexture=function(_){_.isCubeTexture?kt.setTextureCube(_,0):_.isData3DTexture?kt.setTexture3D(_,0):_.isDataArrayTexture||_.isCompressedArrayTexture?kt.setTexture2DArray(_,0):kt.setTexture2D(_,0),ft.unbindTexture()},this.resetState=function(){q=0,G=0,it=null,ft.reset(),at.reset()},typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}get coordinateSystem(){return yn}get outputColorSpace(){return this._outputColorSpace}set outputColorSpace(t){this._outputColorSpace=t;let e=this.getContext();e.drawingBufferColorSpace=Qt._getDrawingBufferColorSpace(t),e.unpackColorSpace=Qt._getUnpackColorSpace()}};var Hp=512,xb=new I(0,1,0),Kr=class{constructor(t,e){this.kind=t;this.width=e;this.#s=new Ti({depthTest:!1,depthWrite:!1,transparent:!0}),this.#t=this.#i(new zs(1,1,1,10).translate(0,.5,0)),this.#e=this.#i(new Er(1,1,14).translate(0,-.5,0)),this.#n=t==="impulse"?this.#i(new ts(1,12,8)):null,this.recolour()}kind;width;group=new Ne;#t;#e;#n;#s;#i(t){let e=new ji(t,this.#s,Hp);return e.frustumCulled=!1,e.renderOrder=10,e.count=0,this.group.add(e),e}show(t,e=1){let n=Math.min(t.length,Hp),s=new Zt,r=new ye,{width:o}=this;for(let a=0;a<n;a++){let l=t[a];if(l===void 0)break;let c=l.vector.length(),h=l.vector.clone().divideScalar(c||1);r.setFromUnitVectors(xb,h);let u=Math.min(5*o,.6*c),d=Math.min(o,.2*c);this.#t.setMatrixAt(a,s.compose(l.point,r,new I(d,Math.max(c-u,1e-12),d)));let f=l.point.clone().add(l.vector);this.#e.setMatrixAt(a,s.compose(f,r,new I(u*.45,u,u*.45))),this.#n?.setMatrixAt(a,s.compose(l.point,r,new I(2*o,2*o,2*o)))}this.#s.opacity=e;for(let a of[this.#t,this.#e,this.#n])a!==null&&(a.count=n,a.instanceMatrix.needsUpdate=!0)}recolour(){this.#s.color.set(Qn(this.kind==="force"?"--force":"--impulse")||"#d55e00")}dispose(){for(let t of[this.#t,this.#e,this.#n])t?.geometry.dispose(),t?.dispose();this.#s.dispose()}};var kl=class{constructor(t,e){this.loaded=t;this.bodies=e;this.#t=e.map(()=>[])}loaded;bodies;#t;#e=new ye;#n=-1;#s=0;async load(t){await this.loaded.ready;for(let[e,n]of this.bodies.entries())en(n)&&(this.#t[e]=await Promise.all(n.signals.map(s=>s!==null&&this.loaded.has(s)?this.loaded.column(s):null)),e%50===49&&t());t()}get samples(){return this.loaded.t.length}seek(t){let{t:e}=this.loaded;this.#n=this.loaded.indexAt(t);let n=e[this.#n],s=e[this.#n+1];this.#s=n!==void 0&&s!==void 0&&t.t>n&&s>n?(t.t-n)/(s-n):0}at(t,e,n){let s=this.#n,r=this.#s;this.centre(t,s,e),this.#i(t,s,n),r!==0&&(e.x+=r*(this.#r(t,0,s+1)-e.x),e.y+=r*(this.#r(t,1,s+1)-e.y),e.z+=r*(this.#r(t,2,s+1)-e.z),this.#i(t,s+1,this.#e),n.slerp(this.#e,r))}centre(t,e,n){return n.set(this.#r(t,0,e),this.#r(t,1,e),this.#r(t,2,e))}#i(t,e,n){n.set(this.#r(t,4,e),this.#r(t,5,e),this.#r(t,6,e),this.#r(t,3,e)).normalize()}#r(t,e,n){let s=this.#t[t]?.[e]?.[n];return s!==void 0&&!Number.isNaN(s)?s:this.bodies[t]?.placement[e]??(e===3?1:0)}};function en(i){return!i.fixed&&i.signals.some(t=>t!==null)}var Jr=new I;function bn(i,t,e,n,s,r){let o=2*Math.PI*s/4,a=Math.max(r-2*s,0),l=Math.PI/4;Jr.copy(t),Jr[n]=0,Jr.normalize();let c=.5*o/(o+a),h=1-Jr.angleTo(i)/l;return Math.sign(Jr[e])===1?h*c:a/(o+a)+c+c*(1-h)}var Bl=class i extends zn{constructor(t=1,e=1,n=1,s=2,r=.1){let o=s*2+1;if(r=Math.min(t/2,e/2,n/2,r),super(1,1,1,o,o,o),this.type="RoundedBoxGeometry",this.parameters={width:t,height:e,depth:n,segments:s,radius:r},o===1)return;let a=this.toNonIndexed();this.index=null,this.attributes.position=a.attributes.position,this.attributes.normal=a.attributes.normal,this.attributes.uv=a.attributes.uv;let l=new I,c=new I,h=new I(t,e,n).divideScalar(2).subScalar(r),u=this.attributes.position.array,d=this.attributes.normal.array,f=this.attributes.uv.array,g=u.length/6,y=new I,m=.5/o;for(let p=0,b=0;p<u.length;p+=3,b+=2)switch(l.fromArray(u,p),c.copy(l),c.x-=Math.sign(c.x)*m,c.y-=Math.sign(c.y)*m,c.z-=Math.sign(c.z)*m,c.normalize(),u[p+0]=h.x*Math.sign(l.x)+c.x*r,u[p+1]=h.y*Math.sign(l.y)+c.y*r,u[p+2]=h.z*Math.sign(l.z)+c.z*r,d[p+0]=c.x,d[p+1]=c.y,d[p+2]=c.z,Math.floor(p/g)){case 0:y.set(1,0,0),f[b+0]=bn(y,c,"z","y",r,n),f[b+1]=1-bn(y,c,"y","z",r,e);break;case 1:y.set(-1,0,0),f[b+0]=1-bn(y,c,"z","y",r,n),f[b+1]=1-bn(y,c,"y","z",r,e);break;case 2:y.set(0,1,0),f[b+0]=1-bn(y,c,"x","z",r,t),f[b+1]=bn(y,c,"z","x",r,n);break;case 3:y.set(0,-1,0),f[b+0]=1-bn(y,c,"x","z",r,t),f[b+1]=1-bn(y,c,"z","x",r,n);break;case 4:y.set(0,0,1),f[b+0]=1-bn(y,c,"x","y",r,t),f[b+1]=1-bn(y,c,"y","x",r,e);break;case 5:y.set(0,0,-1),f[b+0]=bn(y,c,"x","y",r,t),f[b+1]=1-bn(y,c,"y","x",r,e);break}}static fromJSON(t){return new i(t.width,t.height,t.depth,t.segments,t.radius)}};function jr(i){return i.kind!=="plane"&&i.kind!=="half_space"}function Gp(i){switch(i.kind){case"sphere":case"ellipsoid":return"ball";case"capsule":return`capsule ${i.radius} ${i.halfLength}`;case"rounded_box":return`box ${i.halfExtents.join(" ")} ${i.radius}`;case"convex":return`convex ${i.corners.join(" ")}`}}function Wp(i){switch(i.kind){case"sphere":return new I(i.radius,i.radius,i.radius);case"ellipsoid":return new I(...i.semiAxes);default:return new I(1,1,1)}}function Xp(i){switch(i.kind){case"sphere":return i.radius;case"ellipsoid":return Math.max(...i.semiAxes);case"capsule":return i.radius+i.halfLength;case"rounded_box":return Math.hypot(...i.halfExtents)+i.radius;case"convex":return Math.max(...i.corners.map(t=>Math.hypot(...t)))}}function $p(i,t){let e=t>400?16:t>80?24:48;switch(i.kind){case"sphere":case"ellipsoid":return Qh(new ts(1,e,e/2));case"capsule":{let n=new Tr(i.radius,2*i.halfLength,e/4,e,2);return Qh(n.applyMatrix4(new Zt().makeRotationX(Math.PI/2)))}case"rounded_box":{let[n,s,r]=i.halfExtents.map(o=>2*(o+i.radius));return Qh(i.radius>0?new Bl(n,s,r,3,i.radius):new zn(n,s,r,2,2,2))}case"convex":return vb(i)}}function vb(i){let t=[],e=[];i.faces.forEach((s,r)=>{let o=r%2===0?1:.72;for(let a=1;a+1<s.length;a++)for(let l of[s[0],s[a],s[a+1]])t.push(...i.corners[l]),e.push(o,o,o)});let n=new Te;return n.setAttribute("position",new ae(t,3)),n.setAttribute("color",new ae(e,3)),n.computeVertexNormals(),n}function Qh(i){let t=i.index===null?i:i.toNonIndexed();t.deleteAttribute("uv"),t.clearGroups();let e=t.getAttribute("position"),n=new Float32Array(e.count*3);for(let s=0;s<e.count;s+=3){let r=1;for(let o of["getX","getY","getZ"])r*=e[o](s)+e[o](s+1)+e[o](s+2)>=0?1:-1;n.fill(r>0?1:.58,3*s,3*s+9)}return t.setAttribute("color",new ae(n,3)),t!==i&&i.dispose(),t}var tu=new I(1,1,1),qp=200,zl=class{constructor(t,e,n,s){this.poses=t;this.bodies=e;this.#s=e.map(()=>new Zt),this.#r=e.length>qp?new Rr({vertexColors:!0}):new Cr({vertexColors:!0,roughness:.55,metalness:0});let r=new Map;for(let[o,a]of e.entries()){for(let l of yb(a,n)){let c=Yp(l.placement);if(jr(l.shape)){let h=Gp(l.shape),u=r.get(h)??{shape:l.shape,parts:[]};r.set(h,u),u.parts.push({body:o,local:c.scale(Wp(l.shape))})}else this.#x(o,l.shape,c,n,s)}a.surfaces.length===0&&this.#p(o,n)}for(let{shape:o,parts:a}of r.values())this.#m($p(o,a.length),a);this.recolour()}poses;bodies;group=new Ne;#t=[];#e=[];#n=[];#s;#i=[];#r;#o=new Ti({side:hn,transparent:!0,opacity:.7,depthWrite:!1});#l=new Ar({opacity:.16,side:hn,depthWrite:!1});#a=new li({transparent:!0,opacity:.4});#c=new I;#h=new ye;#u=new Zt;pose(t){this.poses.seek(t);for(let e of this.bodies.keys())this.poses.at(e,this.#c,this.#h),this.#s[e]?.compose(this.#c,this.#h,tu);for(let{body:e,local:n,mesh:s,slot:r}of this.#t){let o=this.#s[e];o!==void 0&&s.setMatrixAt(r,this.#u.multiplyMatrices(o,n))}for(let e of this.#n)e.instanceMatrix.needsUpdate=!0;for(let{body:e,group:n}of this.#e){let s=this.#s[e];s!==void 0&&(n.matrix.copy(s),n.matrixWorldNeedsUpdate=!0)}}centre(t,e){let n=this.#s[t];return n===void 0?e.set(0,0,0):e.setFromMatrixPosition(n)}recolour(){this.#o.color.set(Qn("--raised")),this.#a.color.set(Qn("--muted"));let t=Vl(this.bodies);for(let{body:e,mesh:n,slot:s}of this.#t)n.setColorAt(s,t[e]??new Dt("#888888"));for(let e of this.#n)e.instanceColor!==null&&(e.instanceColor.needsUpdate=!0)}dispose(){for(let t of this.#n)t.dispose();for(let t of[...this.#i,this.#r,this.#o,this.#l,this.#a])t.dispose()}#m(t,e){let n=new ji(t,this.#r,e.length);n.instanceMatrix.setUsage(Lh),n.frustumCulled=!1,n.castShadow=this.bodies.length<=qp,n.receiveShadow=n.castShadow;for(let[s,r]of e.entries())this.#t.push({...r,mesh:n,slot:s});this.#n.push(n),this.#i.push(t),this.group.add(n)}#x(t,e,n,s,r){let o=new I(...e.normal).normalize(),a=Math.hypot(...e.normal),l=o.clone().multiplyScalar(a>0?e.offset/a:0);if(this.bodies[t]?.fixed===!0){let m=Yp(this.bodies[t]?.placement??[]).multiply(n).invert(),p=r.clone().applyMatrix4(m).sub(l);l.add(p.addScaledVector(o,-p.dot(o)))}let c=.7*s,h=_b(c/5),u=new Qi(2*c,2*c),d=new Ke(u,this.#l);d.receiveShadow=!0;let f=bb(c,h),g=new Ne;g.add(new Ke(u,this.#o),d,new Bs(f,this.#a)),g.matrixAutoUpdate=!1,g.matrix.multiplyMatrices(n,new Zt().compose(l,new ye().setFromUnitVectors(new I(0,0,1),o),tu));let y=new Ne;y.matrixAutoUpdate=!1,y.add(g),this.#e.push({body:t,group:y}),this.#i.push(u,f),this.group.add(y)}#p(t,e){let n=new Or(.06*e),s=new Ne;s.matrixAutoUpdate=!1,s.add(n),this.#e.push({body:t,group:s}),this.#i.push(n),this.group.add(s)}};function yb(i,t){return i.surfaces.length>0?i.surfaces:[{shape:{kind:"sphere",radius:.02*t},placement:[0,0,0,1,0,0,0]}]}function Yp(i){let[t=0,e=0,n=0,s=1,r=0,o=0,a=0]=i;return new Zt().compose(new I(t,e,n),new ye(r,o,a,s).normalize(),tu)}function Vl(i){let t=[0,1,2,4,3,5,6].map(s=>new Dt(Qn(`--c${s}`)||"#0072b2")),e=new Dt(Qn("--c7")||"#4d5663"),n=0;return i.map(s=>{if(!en(s))return e;let r=Math.floor(n/t.length)%3,o=(t[n++%t.length]??e).clone();return r===0?o:o.lerp(new Dt(r===1?"#ffffff":"#000000"),.35)})}function _b(i){if(!(i>0)||!Number.isFinite(i))return 1;let t=10**Math.floor(Math.log10(i));return[1,2,5,10].map(e=>e*t).find(e=>e>=i*.999999)??10*t}function bb(i,t){let e=[],n=Math.floor(i/t);for(let r=-n;r<=n;r++)e.push(r*t,-i,0,r*t,i,0,-i,r*t,0,i,r*t,0);e.push(-i,-i,0,i,-i,0,i,-i,0,i,i,0,i,i,0,-i,i,0,-i,i,0,-i,-i,0);let s=new Te;return s.setAttribute("position",new qe(new Float32Array(e),3)),s}var Mb=200,Zp={few:40,many:16},Sb=4,wb=.35;function Hl(i){let t=0;for(let{shape:e,placement:n}of i.surfaces)jr(e)&&(t=Math.max(t,Xp(e)+Math.hypot(n[0]??0,n[1]??0,n[2]??0)));return t}function Kp(i,t){let e=new I,n=new Ze,s=new Ze,r=Math.max(1,Math.floor(i.samples/Mb));for(let[u,d]of t.entries()){let f=Hl(d);if(!(!en(d)&&f===0)&&(eu(n,i.centre(u,0,e),f),!!en(d))){for(let g=0;g<i.samples;g+=r)eu(s,i.centre(u,g,e),f);i.samples>0&&eu(s,i.centre(u,i.samples-1,e),f)}}n.isEmpty()&&n.set(new I(-1,-1,-1),new I(1,1,1));let o=n.getSize(new I),a=Math.max(0,...t.map(Hl)),l=Math.max(wb*Math.max(o.x,o.y,o.z),(t.filter(en).length>Sb?Zp.many:Zp.few)*a),c=a>0?s.union(n).intersect(n.clone().expandByScalar(l)):s.union(n),h=c.getSize(new I);return{box:c,size:Math.max(h.x,h.y,h.z,1e-9),centre:c.getCenter(new I),reach:a}}function eu(i,t,e){[t.x,t.y,t.z].every(Number.isFinite)&&(i.expandByPoint(t.clone().addScalar(e)),i.expandByPoint(t.clone().addScalar(-e)))}function Jp(i){let t=i.filter(n=>n.fixed).flatMap(n=>n.surfaces.map(({shape:s})=>s)),e=n=>t.some(s=>!jr(s)&&(s.normal[n]??0)>.9*Math.hypot(...s.normal));return!e(1)&&e(2)?"z":"y"}function Qp(i,t){let e=i.takenBefore(t);for(let n of[i.run.transitions[e-1],i.run.transitions[e]])if(n!==void 0&&n.t===t.t&&n.forces.length>0)return n;return null}function Xn(i){return i.kind==="impact"||i.kind==="after_impact"?!0:i.kind==="compute"&&/^I[_{]/.test(i.from)}function tm(i){return Math.hypot(i.normal,...i.tangential)}function em(i){let t={impulse:0,force:0};for(let e of i.transitions){let n=Xn(e)?"impulse":"force";for(let s of e.forces)s.vector!==null&&(t[n]=Math.max(t[n],Math.hypot(...s.vector)))}return t}var Gl=class{constructor(t){this.loaded=t;let{bodies:e,contacts:n}=t.run;for(let{label:s,first:r,second:o}of n)this.#n.set(s,{first:e[r]?.fixed===!1,second:e[o]?.fixed===!1})}loaded;#t=[];#e=new Set;#n=new Map;most=0;#s(t){let e=this.#n.get(t);if(e!==void 0)return e;let n=this.loaded.run.bodies.filter(r=>r.fixed).map(r=>r.name),s={first:!n.some(r=>t.startsWith(`${r}-`)),second:!n.some(r=>t.endsWith(`-${r}`))};return this.#n.set(t,s),s}async load(t){if(this.#e.add(t),!(this.#e.size>1)){await this.loaded.ready;for(let e of this.loaded.run.contacts.keys()){let n=await this.loaded.track(e);this.#t[e]=n;let[s,r,o]=n.force;for(let a=0;s!==void 0&&r!==void 0&&o!==void 0&&a<s.length;a++){let l=Math.hypot(s[a]??NaN,r[a]??NaN,o[a]??NaN);l>this.most&&Number.isFinite(l)&&(this.most=l)}for(let a of this.#e)a()}}}at(t){let e=this.loaded.indexAt(t),n=this.loaded.t[e]??NaN,s=this.loaded.t[e+1]??NaN,r=t.t>n&&s>n?(t.t-n)/(s-n):0,o=[];for(let[a,l]of this.#t.entries()){if(l==null)continue;let c=jp(l.point,e,r),h=jp(l.force,e,r);if(c===null||h===null)continue;let u=this.loaded.run.contacts[a]?.label??"";o.push({contact:u,point:c,vector:h,on:this.#s(u)})}return o}of(t){return t.forces.flatMap(({contact:e,point:n,vector:s})=>n===null||s===null?[]:[{contact:e,point:n,vector:s,on:this.#s(e)}])}};function jp(i,t,e){let n=(o,a)=>i[o]?.[a]??NaN,s=o=>{let a=n(o,t);if(e===0)return a;let l=n(o,t+1);return Number.isNaN(l)?a:a+e*(l-a)},r=[s(0),s(1),s(2)];return r.every(Number.isFinite)?r:null}var nu=60,Tb=18,Eb=8,Wl=class{element=C("div",{class:"dv-labels","aria-hidden":"true"});#t=[];constructor(t){let e=[...t.entries()].filter(([,n])=>en(n));for(let[n,{name:s}]of e.slice(0,nu)){let r=C("span",{},Xt(s));this.#t.push({body:n,element:r,half:Eb*Math.min(s.length,24)/2+5}),this.element.append(r)}}set visible(t){this.element.hidden=!t}place(t,e,n,s){if(this.element.hidden)return;let r=[];for(let{body:o,element:a,half:l}of this.#t){let c=s(o).project(t),h=(c.x+1)/2*e,u=(1-c.y)/2*n,d=r.every(g=>Math.abs(g.x-h)>g.half+l||Math.abs(g.y-u)>Tb),f=c.z>-1&&c.z<1&&Math.abs(c.x)<1.05&&Math.abs(c.y)<1.05&&d;a.hidden=!f,f&&(r.push({x:h,y:u,half:l}),a.style.transform=`translate(${h}px, ${u}px) translate(-50%, -100%)`)}}};var nm={type:"change"},su={type:"start"},sm={type:"end"},Xl=new Ji,im=new an,Ab=Math.cos(70*kh.DEG2RAD),Ce=new I,nn=2*Math.PI,ie={NONE:-1,ROTATE:0,DOLLY:1,PAN:2,TOUCH_ROTATE:3,TOUCH_PAN:4,TOUCH_DOLLY_PAN:5,TOUCH_DOLLY_ROTATE:6},iu=1e-6,$l=class extends Fr{constructor(t,e=null){super(t,e),this.state=ie.NONE,this.target=new I,this.cursor=new I,this.minDistance=0,this.maxDistance=1/0,this.minZoom=0,this.maxZoom=1/0,this.minTargetRadius=0,this.maxTargetRadius=1/0,this.minPolarAngle=0,this.maxPolarAngle=Math.PI,this.minAzimuthAngle=-1/0,this.maxAzimuthAngle=1/0,this.enableDamping=!1,this.dampingFactor=.05,this.enableZoom=!0,this.zoomSpeed=1,this.enableRotate=!0,this.rotateSpeed=1,this.keyRotateSpeed=1,this.enablePan=!0,this.panSpeed=1,this.screenSpacePanning=!0,this.keyPanSpeed=7,this.zoomToCursor=!1,this.autoRotate=!1,this.autoRotateSpeed=2,this.keys={LEFT:"ArrowLeft",UP:"ArrowUp",RIGHT:"ArrowRight",BOTTOM:"ArrowDown"},this.mouseButtons={LEFT:Ii.ROTATE,MIDDLE:Ii.DOLLY,RIGHT:Ii.PAN},this.touches={ONE:Li.ROTATE,TWO:Li.DOLLY_PAN},this.target0=this.target.clone(),this.position0=this.object.position.clone(),this.zoom0=this.object.zoom,this._cursorStyle="auto",this._domElementKeyEvents=null,this._lastPosition=new I,this._lastQuaternion=new ye,this._lastTargetPosition=new I,this._quat=new ye().setFromUnitVectors(t.up,new I(0,1,0)),this._quatInverse=this._quat.clone().invert(),this._spherical=new Pi,this._sphericalDelta=new Pi,this._scale=1,this._panOffset=new I,this._rotateStart=new Nt,this._rotateEnd=new Nt,this._rotateDelta=new Nt,this._panStart=new Nt,this._panEnd=new Nt,this._panDelta=new Nt,this._dollyStart=new Nt,this._dollyEnd=new Nt,this._dollyDelta=new Nt,this._dollyDirection=new I,this._mouse=new Nt,this._performCursorZoom=!1,this._pointers=[],this._pointerPositions={},this._controlActive=!1,this._onPointerMove=Rb.bind(this),this._onPointerDown=Cb.bind(this),this._onPointerUp=Pb.bind(this),this._onContextMenu=Fb.bind(this),this._onMouseWheel=Nb.bind(this),this._onKeyDown=Db.bind(this),this._onTouchStart=Ub.bind(this),this._onTouchMove=Ob.bind(this),this._onMouseDown=Ib.bind(this),this._onMouseMove=Lb.bind(this),this._interceptControlDown=kb.bind(this),this._interceptControlUp=Bb.bind(this),this.domElement!==null&&this.connect(this.domElement),this.update()}set cursorStyle(t){this._cursorStyle=t,t==="grab"?this.domElement.style.cursor="grab":this.domElement.style.cursor="auto"}get cursorStyle(){return this._cursorStyle}connect(t){super.connect(t),this.domElement.addEventListener("pointerdown",this._onPointerDown),this.domElement.addEventListener("pointercancel",this._onPointerUp),this.domElement.addEventListener("contextmenu",this._onContextMenu),this.domElement.addEventListener("wheel",this._onMouseWheel,{passive:!1}),this.domElement.ownerDocument.addEventListener("keydown",this._interceptControlDown,{passive:!0,capture:!0}),this.domElement.style.touchAction="none"}disconnect(){this.state=ie.NONE,this.domElement.removeEventListener("pointerdown",this._onPointerDown),this.domElement.ownerDocument.removeEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.removeEventListener("pointerup",this._onPointerUp),this.domElement.removeEventListener("pointercancel",this._onPointerUp),this.domElement.removeEventListener("wheel",this._onMouseWheel),this.domElement.removeEventListener("contextmenu",this._onContextMenu),this.stopListenToKeyEvents(),this.domElement.ownerDocument.removeEventListener("keydown",this._interceptControlDown,{capture:!0}),this.domElement.ownerDocument.removeEventListener("keyup",this._interceptControlUp,{capture:!0}),this._controlActive=!1,this._pointers.length=0,this._pointerPositions={},this.domElement.style.touchAction="",this.domElement.style.cursor="auto"}dispose(){this.disconnect()}getPolarAngle(){return this._spherical.phi}getAzimuthalAngle(){return this._spherical.theta}getDistance(){return this.object.position.distanceTo(this.target)}listenToKeyEvents(t){t.addEventListener("keydown",this._onKeyDown),this._domElementKeyEvents=t}stopListenToKeyEvents(){this._domElementKeyEvents!==null&&(this._domElementKeyEvents.removeEventListener("keydown",this._onKeyDown),this._domElementKeyEvents=null)}saveState(){this.target0.copy(this.target),this.position0.copy(this.object.position),this.zoom0=this.object.zoom}reset(){this.target.copy(this.target0),this.object.position.copy(this.position0),this.object.zoom=this.zoom0,this.object.updateProjectionMatrix(),this.dispatchEvent(nm),this.update(),this.state=ie.NONE}pan(t,e){this._pan(t,e),this.update()}dollyIn(t){this._dollyIn(t),this.update()}dollyOut(t){this._dollyOut(t),this.update()}rotateLeft(t){this._rotateLeft(t),this.update()}rotateUp(t){this._rotateUp(t),this.update()}update(t=null){let e=this.object.position;Ce.copy(e).sub(this.target),Ce.applyQuaternion(this._quat),this._spherical.setFromVector3(Ce),this.autoRotate&&this.state===ie.NONE&&this._rotateLeft(this._getAutoRotationAngle(t)),this.enableDamping?(this._spherical.theta+=this._sphericalDelta.theta*this.dampingFactor,this._spherical.phi+=this._sphericalDelta.phi*this.dampingFactor):(this._spherical.theta+=this._sphericalDelta.theta,this._spherical.phi+=this._sphericalDelta.phi);let n=this.minAzimuthAngle,s=this.maxAzimuthAngle;isFinite(n)&&isFinite(s)&&(n<-Math.PI?n+=nn:n>Math.PI&&(n-=nn),s<-Math.PI?s+=nn:s>Math.PI&&(s-=nn),n<=s?this._spherical.theta=Math.max(n,Math.min(s,this._spherical.theta)):this._spherical.theta=this._spherical.theta>(n+s)/2?Math.max(n,this._spherical.theta):Math.min(s,this._spherical.theta)),this._spherical.phi=Math.max(this.minPolarAngle,Math.min(this.maxPolarAngle,this._spherical.phi)),this._spherical.makeSafe(),this.enableDamping===!0?this.target.addScaledVector(this._panOffset,this.dampingFactor):this.target.add(this._panOffset),this.target.sub(this.cursor),this.target.clampLength(this.minTargetRadius,this.maxTargetRadius),this.target.add(this.cursor);let r=!1;if(this.zoomToCursor&&this._performCursorZoom||this.object.isOrthographicCamera)this._spherical.radius=this._clampDistance(this._spherical.radius);else{let o=this._spherical.radius;this._spherical.radius=this._clampDistance(this._spherical.radius*this._scale),r=o!=this._spherical.radius}if(Ce.setFromSpherical(this._spherical),Ce.applyQuaternion(this._quatInverse),e.copy(this.target).add(Ce),this.object.lookAt(this.target),this.enableDamping===!0?(this._sphericalDelta.theta*=1-this.dampingFactor,this._sphericalDelta.phi*=1-this.dampingFactor,this._panOffset.multiplyScalar(1-this.dampingFactor)):(this._sphericalDelta.set(0,0,0),this._panOffset.set(0,0,0)),this.zoomToCursor&&this._performCursorZoom){let o=null;if(this.object.isPerspectiveCamera){let a=Ce.length();o=this._clampDistance(a*this._scale);let l=a-o;this.object.position.addScaledVector(this._dollyDirection,l),this.object.updateMatrixWorld(),r=!!l}else if(this.object.isOrthographicCamera){let a=new I(this._mouse.x,this._mouse.y,0);a.unproject(this.object);let l=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),this.object.updateProjectionMatrix(),r=l!==this.object.zoom;let c=new I(this._mouse.x,this._mouse.y,0);c.unproject(this.object),this.object.position.sub(c).add(a),this.object.updateMatrixWorld(),o=Ce.length()}else console.warn("WARNING: OrbitControls.js encountered an unknown camera type - zoom to cursor disabled."),this.zoomToCursor=!1;o!==null&&(this.screenSpacePanning?this.target.set(0,0,-1).transformDirection(this.object.matrix).multiplyScalar(o).add(this.object.position):(Xl.origin.copy(this.object.position),Xl.direction.set(0,0,-1).transformDirection(this.object.matrix),Math.abs(this.object.up.dot(Xl.direction))<Ab?this.object.lookAt(this.target):(im.setFromNormalAndCoplanarPoint(this.object.up,this.target),Xl.intersectPlane(im,this.target))))}else if(this.object.isOrthographicCamera){let o=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),o!==this.object.zoom&&(this.object.updateProjectionMatrix(),r=!0)}return this._scale=1,this._performCursorZoom=!1,r||this._lastPosition.distanceToSquared(this.object.position)>iu||8*(1-this._lastQuaternion.dot(this.object.quaternion))>iu||this._lastTargetPosition.distanceToSquared(this.target)>iu?(this.dispatchEvent(nm),this._lastPosition.copy(this.object.position),this._lastQuaternion.copy(this.object.quaternion),this._lastTargetPosition.copy(this.target),!0):!1}_getAutoRotationAngle(t){return t!==null?nn/60*this.autoRotateSpeed*t:nn/60/60*this.autoRotateSpeed}_getZoomScale(t){let e=Math.abs(t*.01);return Math.pow(.95,this.zoomSpeed*e)}_rotateLeft(t){this._sphericalDelta.theta-=t}_rotateUp(t){this._sphericalDelta.phi-=t}_panLeft(t,e){Ce.setFromMatrixColumn(e,0),Ce.multiplyScalar(-t),this._panOffset.add(Ce)}_panUp(t,e){this.screenSpacePanning===!0?Ce.setFromMatrixColumn(e,1):(Ce.setFromMatrixColumn(e,0),Ce.crossVectors(this.object.up,Ce)),Ce.multiplyScalar(t),this._panOffset.add(Ce)}_pan(t,e){let n=this.domElement;if(this.object.isPerspectiveCamera){let s=this.object.position;Ce.copy(s).sub(this.target);let r=Ce.length();r*=Math.tan(this.object.fov/2*Math.PI/180),this._panLeft(2*t*r/n.clientHeight,this.object.matrix),this._panUp(2*e*r/n.clientHeight,this.object.matrix)}else this.object.isOrthographicCamera?(this._panLeft(t*(this.object.right-this.object.left)/this.object.zoom/n.clientWidth,this.object.matrix),this._panUp(e*(this.object.top-this.object.bottom)/this.object.zoom/n.clientHeight,this.object.matrix)):(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - pan disabled."),this.enablePan=!1)}_dollyOut(t){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale/=t:(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled."),this.enableZoom=!1)}_dollyIn(t){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale*=t:(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled."),this.enableZoom=!1)}_updateZoomParameters(t,e){if(!this.zoomToCursor)return;this._performCursorZoom=!0;let n=this.domElement.getBoundingClientRect(),s=t-n.left,r=e-n.top,o=n.width,a=n.height;this._mouse.x=s/o*2-1,this._mouse.y=-(r/a)*2+1,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()}_clampDistance(t){return Math.max(this.minDistance,Math.min(this.maxDistance,t))}_handleMouseDownRotate(t){this._rotateStart.set(t.clientX,t.clientY)}_handleMouseDownDolly(t){this._updateZoomParameters(t.clientX,t.clientY),this._dollyStart.set(t.clientX,t.clientY)}_handleMouseDownPan(t){this._panStart.set(t.clientX,t.clientY)}_handleMouseMoveRotate(t){this._rotateEnd.set(t.clientX,t.clientY),this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let e=this.domElement;this._rotateLeft(nn*this._rotateDelta.x/e.clientHeight),this._rotateUp(nn*this._rotateDelta.y/e.clientHeight),this._rotateStart.copy(this._rotateEnd),this.update()}_handleMouseMoveDolly(t){this._dollyEnd.set(t.clientX,t.clientY),this._dollyDelta.subVectors(this._dollyEnd,this._dollyStart),this._dollyDelta.y>0?this._dollyOut(this._getZoomScale(this._dollyDelta.y)):this._dollyDelta.y<0&&this._dollyIn(this._getZoomScale(this._dollyDelta.y)),this._dollyStart.copy(this._dollyEnd),this.zoomToCursor&&(this._performCursorZoom=!0,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()),this.update()}_handleMouseMovePan(t){this._panEnd.set(t.clientX,t.clientY),this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd),this.update()}_handleMouseWheel(t){this._updateZoomParameters(t.clientX,t.clientY),t.deltaY<0?this._dollyIn(this._getZoomScale(t.deltaY)):t.deltaY>0&&this._dollyOut(this._getZoomScale(t.deltaY)),this.update()}_handleKeyDown(t){let e=!1;switch(t.code){case this.keys.UP:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateUp(nn*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,this.keyPanSpeed),e=!0;break;case this.keys.BOTTOM:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateUp(-nn*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,-this.keyPanSpeed),e=!0;break;case this.keys.LEFT:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateLeft(nn*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(this.keyPanSpeed,0),e=!0;break;case this.keys.RIGHT:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateLeft(-nn*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(-this.keyPanSpeed,0),e=!0;break}e&&(t.preventDefault(),this.update())}_handleTouchStartRotate(t){if(this._pointers.length===1)this._rotateStart.set(t.pageX,t.pageY);else{let e=this._getSecondPointerPosition(t),n=.5*(t.pageX+e.x),s=.5*(t.pageY+e.y);this._rotateStart.set(n,s)}}_handleTouchStartPan(t){if(this._pointers.length===1)this._panStart.set(t.pageX,t.pageY);else{let e=this._getSecondPointerPosition(t),n=.5*(t.pageX+e.x),s=.5*(t.pageY+e.y);this._panStart.set(n,s)}}_handleTouchStartDolly(t){let e=this._getSecondPointerPosition(t),n=t.pageX-e.x,s=t.pageY-e.y,r=Math.sqrt(n*n+s*s);this._dollyStart.set(0,r)}_handleTouchStartDollyPan(t){this.enableZoom&&this._handleTouchStartDolly(t),this.enablePan&&this._handleTouchStartPan(t)}_handleTouchStartDollyRotate(t){this.enableZoom&&this._handleTouchStartDolly(t),this.enableRotate&&this._handleTouchStartRotate(t)}_handleTouchMoveRotate(t){if(this._pointers.length==1)this._rotateEnd.set(t.pageX,t.pageY);else{let n=this._getSecondPointerPosition(t),s=.5*(t.pageX+n.x),r=.5*(t.pageY+n.y);this._rotateEnd.set(s,r)}this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let e=this.domElement;this._rotateLeft(nn*this._rotateDelta.x/e.clientHeight),this._rotateUp(nn*this._rotateDelta.y/e.clientHeight),this._rotateStart.copy(this._rotateEnd)}_handleTouchMovePan(t){if(this._pointers.length===1)this._panEnd.set(t.pageX,t.pageY);else{let e=this._getSecondPointerPosition(t),n=.5*(t.pageX+e.x),s=.5*(t.pageY+e.y);this._panEnd.set(n,s)}this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd)}_handleTouchMoveDolly(t){let e=this._getSecondPointerPosition(t),n=t.pageX-e.x,s=t.pageY-e.y,r=Math.sqrt(n*n+s*s);this._dollyEnd.set(0,r),this._dollyDelta.set(0,Math.pow(this._dollyEnd.y/this._dollyStart.y,this.zoomSpeed)),this._dollyOut(this._dollyDelta.y),this._dollyStart.copy(this._dollyEnd);let o=(t.pageX+e.x)*.5,a=(t.pageY+e.y)*.5;this._updateZoomParameters(o,a)}_handleTouchMoveDollyPan(t){this.enableZoom&&this._handleTouchMoveDolly(t),this.enablePan&&this._handleTouchMovePan(t)}_handleTouchMoveDollyRotate(t){this.enableZoom&&this._handleTouchMoveDolly(t),this.enableRotate&&this._handleTouchMoveRotate(t)}_addPointer(t){this._pointers.push(t.pointerId)}_removePointer(t){delete this._pointerPositions[t.pointerId];for(let e=0;e<this._pointers.length;e++)if(this._pointers[e]==t.pointerId){this._pointers.splice(e,1);return}}_isTrackingPointer(t){for(let e=0;e<this._pointers.length;e++)if(this._pointers[e]==t.pointerId)return!0;return!1}_trackPointer(t){let e=this._pointerPositions[t.pointerId];e===void 0&&(e=new Nt,this._pointerPositions[t.pointerId]=e),e.set(t.pageX,t.pageY)}_getSecondPointerPosition(t){let e=t.pointerId===this._pointers[0]?this._pointers[1]:this._pointers[0];return this._pointerPositions[e]}_customWheelEvent(t){let e=t.deltaMode,n={clientX:t.clientX,clientY:t.clientY,deltaY:t.deltaY};switch(e){case 1:n.deltaY*=16;break;case 2:n.deltaY*=100;break}return t.ctrlKey&&!this._controlActive&&(n.deltaY*=10),n}};function Cb(i){this.enabled!==!1&&(this._pointers.length===0&&(this.domElement.setPointerCapture(i.pointerId),this.domElement.ownerDocument.addEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.addEventListener("pointerup",this._onPointerUp)),!this._isTrackingPointer(i)&&(this._addPointer(i),i.pointerType==="touch"?this._onTouchStart(i):this._onMouseDown(i),this._cursorStyle==="grab"&&(this.domElement.style.cursor="grabbing")))}function Rb(i){this.enabled!==!1&&(i.pointerType==="touch"?this._onTouchMove(i):this._onMouseMove(i))}function Pb(i){switch(this._removePointer(i),this._pointers.length){case 0:this.domElement.releasePointerCapture(i.pointerId),this.domElement.ownerDocument.removeEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.removeEventListener("pointerup",this._onPointerUp),this.dispatchEvent(sm),this.state=ie.NONE,this._cursorStyle==="grab"&&(this.domElement.style.cursor="grab");break;case 1:let t=this._pointers[0],e=this._pointerPositions[t];this._onTouchStart({pointerId:t,pageX:e.x,pageY:e.y});break}}function Ib(i){let t;switch(i.button){case 0:t=this.mouseButtons.LEFT;break;case 1:t=this.mouseButtons.MIDDLE;break;case 2:t=this.mouseButtons.RIGHT;break;default:t=-1}switch(t){case Ii.DOLLY:if(this.enableZoom===!1)return;this._handleMouseDownDolly(i),this.state=ie.DOLLY;break;case Ii.ROTATE:if(i.ctrlKey||i.metaKey||i.shiftKey){if(this.enablePan===!1)return;this._handleMouseDownPan(i),this.state=ie.PAN}else{if(this.enableRotate===!1)return;this._handleMouseDownRotate(i),this.state=ie.ROTATE}break;case Ii.PAN:if(i.ctrlKey||i.metaKey||i.shiftKey){if(this.enableRotate===!1)return;this._handleMouseDownRotate(i),this.state=ie.ROTATE}else{if(this.enablePan===!1)return;this._handleMouseDownPan(i),this.state=ie.PAN}break;default:this.state=ie.NONE}this.state!==ie.NONE&&this.dispatchEvent(su)}function Lb(i){switch(this.state){case ie.ROTATE:if(this.enableRotate===!1)return;this._handleMouseMoveRotate(i);break;case ie.DOLLY:if(this.enableZoom===!1)return;this._handleMouseMoveDolly(i);break;case ie.PAN:if(this.enablePan===!1)return;this._handleMouseMovePan(i);break}}function Nb(i){this.enabled===!1||this.enableZoom===!1||this.state!==ie.NONE||(i.preventDefault(),this.dispatchEvent(su),this._handleMouseWheel(this._customWheelEvent(i)),this.dispatchEvent(sm))}function Db(i){this.enabled!==!1&&this._handleKeyDown(i)}function Ub(i){switch(this._trackPointer(i),this._pointers.length){case 1:switch(this.touches.ONE){case Li.ROTATE:if(this.enableRotate===!1){this.state=ie.NONE;break}this._handleTouchStartRotate(i),this.state=ie.TOUCH_ROTATE;break;case Li.PAN:if(this.enablePan===!1){this.state=ie.NONE;break}this._handleTouchStartPan(i),this.state=ie.TOUCH_PAN;break;default:this.state=ie.NONE}break;case 2:switch(this.touches.TWO){case Li.DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchStartDollyPan(i),this.state=ie.TOUCH_DOLLY_PAN;break;case Li.DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchStartDollyRotate(i),this.state=ie.TOUCH_DOLLY_ROTATE;break;default:this.state=ie.NONE}break;default:this.state=ie.NONE}this.state!==ie.NONE&&this.dispatchEvent(su)}function Ob(i){switch(this._trackPointer(i),this.state){case ie.TOUCH_ROTATE:if(this.enableRotate===!1)return;this._handleTouchMoveRotate(i),this.update();break;case ie.TOUCH_PAN:if(this.enablePan===!1)return;this._handleTouchMovePan(i),this.update();break;case ie.TOUCH_DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchMoveDollyPan(i),this.update();break;case ie.TOUCH_DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchMoveDollyRotate(i),this.update();break;default:this.state=ie.NONE}}function Fb(i){this.enabled!==!1&&i.preventDefault()}function kb(i){i.key==="Control"&&(this._controlActive=!0,this.domElement.ownerDocument.addEventListener("keyup",this._interceptControlUp,{passive:!0,capture:!0}))}function Bb(i){i.key==="Control"&&(this._controlActive=!1,this.domElement.ownerDocument.removeEventListener("keyup",this._interceptControlUp,{passive:!0,capture:!0}))}var rm={corner:new I(.35,.32,1),front:new I(0,0,1),side:new I(1,0,0),top:new I(0,1,1e-4)},ql=class{scene=new xr;world=new Ne;camera=new $e(38,1,.01,1e3);controls;#t;#e=new Dr(16777215,1.7);constructor(t,e){this.#t=new Ul({canvas:t,antialias:!0,preserveDrawingBuffer:!1}),this.#t.setPixelRatio(Math.min(devicePixelRatio,2)),this.#t.shadowMap.enabled=!0,this.#t.shadowMap.type=es,this.#e.castShadow=!0,this.#e.shadow.mapSize.set(1024,1024),this.scene.add(this.world,new Ir(16777215,11186874,1.6),new Ur(16777215,.45),this.#e,this.#e.target),this.controls=new $l(this.camera,t),this.controls.enableDamping=!1,this.controls.addEventListener("change",e),this.recolour()}recolour(){this.scene.background=new Dt(Qn("--panel")||"#ffffff")}resize(t,e){t===0||e===0||(this.#t.setSize(t,e,!1),this.camera.aspect=t/e,this.camera.updateProjectionMatrix())}setUp(t){this.world.rotation.set(t==="z"?-Math.PI/2:0,0,t==="x"?Math.PI/2:0),this.world.updateMatrixWorld(!0)}fit(t,e){let n=new Ze().copy(t.box).applyMatrix4(this.world.matrixWorld),s=n.getCenter(new I),r=e===null?this.camera.position.clone().sub(this.controls.target):rm[e].clone();r.lengthSq()===0&&r.copy(rm.corner),r.normalize();let o=this.#n(n,s,r);this.controls.target.copy(s),this.camera.position.copy(s).addScaledVector(r,o),this.camera.near=Math.max(t.size*.001,o*.001),this.camera.far=o+40*t.size,this.camera.updateProjectionMatrix(),this.controls.update(),this.#s(n,s,t.size)}#n(t,e,n){let s=Math.tan(this.camera.fov*Math.PI/360),r=s*this.camera.aspect,o=new I().crossVectors(this.camera.up,n).normalize(),a=new I().crossVectors(n,o),l=0;for(let c=0;c<8;c++){let h=new I(c&1?t.max.x:t.min.x,c&2?t.max.y:t.min.y,c&4?t.max.z:t.min.z).sub(e),u=h.dot(n);l=Math.max(l,u+Math.abs(h.dot(o))/r,u+Math.abs(h.dot(a))/s)}return l*1.04||1}#s(t,e,n){this.#e.target.position.copy(e),this.#e.position.copy(e).add(new I(.5,1.4,.8).multiplyScalar(2*n));let s=this.#e.shadow.camera,r=.75*t.getSize(new I).length();s.left=s.bottom=-r,s.right=s.top=r,s.near=.1*n,s.far=8*n,s.updateProjectionMatrix(),this.#e.shadow.normalBias=.01*n}get gaze(){return{position:this.camera.position.toArray(),target:this.controls.target.toArray()}}set gaze({position:t,target:e}){this.camera.position.fromArray(t),this.controls.target.fromArray(e),this.controls.update()}shift(t){this.controls.target.add(t),this.camera.position.add(t),this.controls.update()}orbit(t,e,n=1){let s=this.camera.position.clone().sub(this.controls.target),r=new Pi().setFromVector3(s);r.theta+=t,r.phi+=e,r.radius*=n,r.makeSafe(),this.camera.position.copy(this.controls.target).add(s.setFromSpherical(r)),this.controls.update()}render(){this.#t.render(this.scene,this.camera)}dispose(){this.controls.dispose(),this.#e.dispose(),this.#t.dispose(),this.#t.forceContextLoss()}};var zb=100,Vb=4e3,Yl=class{constructor(t,e){this.poses=t;this.#e=Math.max(1,Math.ceil(t.samples/Vb));let n=Math.ceil(t.samples/this.#e),s=new I;for(let[r,o]of t.bodies.entries()){if(!en(o)||this.#t.length>=zb)continue;let a=new Float32Array(3*n);for(let h=0;h<n;h++)t.centre(r,h*this.#e,s).toArray(a,3*h);let l=new Te;l.setAttribute("position",new qe(a,3));let c=new ks(l,new li({color:e[r]??8947848,transparent:!0,opacity:.8}));c.frustumCulled=!1,this.#t.push(c),this.group.add(c)}}poses;group=new Ne;#t=[];#e;show(t){let e=Math.floor(this.poses.loaded.indexAt(t)/this.#e)+1;for(let n of this.#t)n.geometry.setDrawRange(0,Math.max(0,e))}recolour(t){let e=[...this.poses.bodies.entries()].filter(([,n])=>en(n));for(let[n,s]of this.#t.entries()){let r=t[e[n]?.[0]??-1];r!==void 0&&s.material.color.copy(r)}}dispose(){for(let t of this.#t)t.geometry.dispose(),t.material.dispose()}};var Zl=22,Ui=36,Kl=class{element=Vt("svg",{class:"dv-triad",width:2*Ui,height:2*Ui,"aria-hidden":"true"});#t=["x","y","z"].map((t,e)=>{let n=Vt("line",{x1:Ui,y1:Ui}),s=Vt("text",{},t);return this.element.append(n,s),{direction:new I().setComponent(e,1),line:n,text:s}});show(t){let e=new I;for(let{direction:n,line:s,text:r}of this.#t)e.copy(n).transformDirection(t.world.matrixWorld).transformDirection(t.camera.matrixWorldInverse),s.setAttribute("x2",String(Ui+Zl*e.x)),s.setAttribute("y2",String(Ui-Zl*e.y)),r.setAttribute("x",String(Ui+(Zl+8)*e.x)),r.setAttribute("y",String(Ui-(Zl+8)*e.y+4)),r.setAttribute("opacity",Math.hypot(e.x,e.y)<.2?"0":"1")}};var om=500,Hb=.28,Gb=5,Jl=class{constructor(t,e,n,s,r,o){this.loaded=n;this.cursor=s;let{run:a}=n;this.#l=t,this.#n=new kl(n,a.bodies),this.#s=r,this.#i=em(a),this.#h=o?.up??Jp(a.bodies),this.#y=o?.gaze??null,this.#a=a.bodies.map(Hl),this.#u=a.bodies.length<=nu,this.#g=s.moment,this.#r.setAttribute("aria-label",`Scene of ${a.bodies.map(l=>qt(l.name)).slice(0,20).join(", ")}. Arrow keys turn the camera, plus and minus zoom, 0 fits.`),this.#r.setAttribute("aria-keyshortcuts","ArrowLeft ArrowRight ArrowUp ArrowDown + - 0"),t.classList.add("dv-scene"),t.append(this.#r),this.#b(e),this.#S()}loaded;cursor;#t=new ue;#e=new Fe(()=>this.#E());#n;#s;#i;#r=C("canvas",{class:"dv-canvas",tabindex:0,role:"img"});#o=C("div",{class:"dv-legend"});#l;#a;#c=null;#h;#u;#m=!0;#x=null;#p=null;#g;#d=null;#y;#_=!1;#f=!1;destroy(){this.#f=!0,this.#t.run(),this.#e.cancel();let t=this.#c;if(this.#c=null,t!==null)for(let e of[t.bodies,t.trails,t.forces,t.impulses,t.stage])e.dispose()}get look(){return{up:this.#h,gaze:this.#_&&this.#c!==null?this.#c.stage.gaze:this.#y}}async#S(){try{await this.#n.load(()=>{})}catch(e){this.#N(`The motion cannot be read: ${e instanceof Error?e.message:String(e)}`);return}if(this.#f)return;let t;try{t=new ql(this.#r,()=>this.#e.ask())}catch{this.#N("This browser gives no WebGL, so the scene is not drawn. Everything else works.");return}this.#c=this.#M(t),this.#t.resize(this.#l,(e,n)=>{t.resize(e,n),!this.#_&&e>0&&n>0&&(this.#_=!0,this.#v("corner"),this.#y!==null&&(t.gaze=this.#y)),this.#E()}),this.#t.add(this.cursor.subscribe(e=>this.#w(e))),this.#t.listen(document,"themechange",()=>this.#D()),this.#t.listen(this.#r,"keydown",e=>this.#A(e)),this.#t.listen(this.#l,"wheel",e=>{!e.ctrlKey&&document.activeElement!==this.#r&&e.stopPropagation()},{capture:!0,passive:!0}),this.#s.load(()=>this.#e.ask()).catch(()=>{})}#M(t){let{bodies:e}=this.loaded.run,n=Kp(this.#n,e),s=Vl(e),r=ru(n),o={stage:t,extent:n,bodies:new zl(this.#n,e,n.size,n.centre),labels:new Wl(e),trails:new Yl(this.#n,s),forces:new Kr("force",.016*r),impulses:new Kr("impulse",.026*r),triad:new Kl};return t.world.add(o.bodies.group,o.trails.group,o.forces.group,o.impulses.group),t.setUp(this.#h),this.#l.append(o.labels.element,o.triad.element,this.#o),o}#b(t){let{run:e}=this.loaded,n={class:"dv-small dv-quiet"},s=[...e.bodies.entries()].filter(([,r])=>en(r));t.append(qn("Names",this.#u,r=>{this.#u=r,this.#E()},n),qn("Paths",!0,r=>{this.#m=r,this.#E()},n),Sn("Follow a body",[{value:"",text:"Follow: none"},...s.slice(0,500).map(([r,o])=>({value:String(r),text:qt(o.name)}))],"",r=>{this.#x=r===""?null:Number(r),this.#p=null,this.#E()},{class:"dv-small dv-follow"}),Sn("Which axis points up",["x","y","z"].map(r=>({value:r,text:`${r} up`})),this.#h,r=>{this.#h=r,this.#c?.stage.setUp(r),this.#v("corner")},{class:"dv-small"}),Sn("View along an axis",[{value:"",text:"View"},{value:"corner",text:"Corner"},{value:"front",text:"Front"},{value:"side",text:"Side"},{value:"top",text:"Top"}],"",r=>{r!==""&&this.#v(r)},{class:"dv-small"}),te("Fit all into view",()=>this.#v(null),{icon:"fit",key:"0",class:"dv-small dv-quiet"}))}#v(t){this.#p=null,this.#c!==null&&this.#c.stage.fit(this.#c.extent,t),this.#E()}#A(t){let{stage:e}=this.#c??{};if(e===void 0||t.ctrlKey||t.metaKey||t.altKey||t.shiftKey&&t.key.startsWith("Arrow"))return;let n=Math.PI/24,r={ArrowLeft:()=>e.orbit(-n,0),ArrowRight:()=>e.orbit(n,0),ArrowUp:()=>e.orbit(0,-n),ArrowDown:()=>e.orbit(0,n),"+":()=>e.orbit(0,0,1/1.15),"=":()=>e.orbit(0,0,1/1.15),"-":()=>e.orbit(0,0,1.15),0:()=>this.#v(null)}[t.key];r!==void 0&&(r(),t.preventDefault(),this.#e.ask())}#w(t){this.#T(t),this.#g=t,this.#e.ask()}#T(t){let e=this.cursor.run.to-this.cursor.run.from;if(t.t<=this.#g.t||t.t-this.#g.t>.1*e){fs(t,this.#g)<0&&(this.#d=null);return}let{transitions:n}=this.cursor.run,s=this.cursor.takenBefore(this.#g);for(let r=this.cursor.takenBefore(t)-1;r>=s;r--){let o=n[r];if(o!==void 0&&Xn(o)&&o.forces.some(a=>a.normal!==0)){this.#d={transition:o,until:performance.now()+om};return}}}#E(){let t=this.#c;if(t===null||this.#l.clientWidth===0)return;let{moment:e}=this.cursor;t.bodies.pose(e),t.trails.group.visible=this.#m,this.#m&&t.trails.show(e),this.#L(t,e),this.#R(t),t.stage.render(),t.labels.visible=this.#u;let n=new I;t.labels.place(t.stage.camera,this.#l.clientWidth,this.#l.clientHeight,s=>t.stage.world.localToWorld(t.bodies.centre(s,n)).addScaledVector(t.stage.camera.up,this.#a[s]??0)),t.triad.show(t.stage)}#R(t){if(this.#x===null)return;let e=t.stage.world.localToWorld(t.bodies.centre(this.#x,new I)),n=this.#p??t.stage.controls.target.clone();this.#p=e.clone(),e.distanceToSquared(n)>0&&t.stage.shift(e.sub(n))}#L(t,e){let n=Qp(this.cursor,e),s=n===null||Xn(n)?this.#s.at(e):this.#s.of(n),r=this.#d!==null&&performance.now()<this.#d.until?this.#d:null,o=n!==null&&Xn(n)?n:r?.transition??null,a=o===null?[]:this.#s.of(o),l={impulse:this.#i.impulse,force:Math.max(this.#i.force,this.#s.most)},c=am(s,l.force,ru(t.extent)),h=am(a,l.impulse,ru(t.extent));t.forces.show(c),t.impulses.show(h,n!==null||r===null?1:Math.max(.2,(r.until-performance.now())/om)),r!==null&&n===null&&this.#e.ask(),this.#r.dataset.forces=String(c.length),this.#r.dataset.impulses=String(h.length),this.#P(s.length>0?l.force:0,a.length>0?l.impulse:0)}#P(t,e){let n=`${t} ${e}`;if(this.#o.dataset.key===n)return;this.#o.dataset.key=n;let s=(r,o,a)=>a>0&&C("span",{class:`dv-legend-${r}`},C("i",{"aria-hidden":"true"}),`${r}, longest ${Lt(a,3)} ${o}`);this.#o.replaceChildren(...[s("force","N",t),s("impulse","N s",e)].filter(r=>r!==!1))}#D(){let t=this.#c;if(t!==null){for(let e of[t.stage,t.bodies,t.forces,t.impulses])e.recolour();t.trails.recolour(Vl(this.loaded.run.bodies)),this.#E()}}#N(t){this.#r.hidden=!0,this.#l.append(C("p",{class:"dv-empty",role:"status"},t))}};function ru(i){let t=Hb*i.size;return i.reach>0?Math.min(t,Gb*i.reach):t}function am(i,t,e){return i.flatMap(({point:n,vector:s,on:r})=>{let o=Math.hypot(...s);if(!(o>0)||!(t>0))return[];let a=e*Math.max(.12,Math.min(1,o/t)),l=new I(...s).multiplyScalar(a/o),c=new I(...n),h=[];return r.second&&h.push({point:c,vector:l}),r.first&&h.push({point:c,vector:l.clone().negate()}),h})}var jl=["zeno","impact","close","open","slip","mode","event"],Ql={impact:"impact",close:"contact closes or changes",open:"contact opens",slip:"stick or slip changes",zeno:"limit of ever faster events",mode:"mode changes",event:"event"};function ou(i){switch(i.kind){case"impact":case"after_impact":return"impact";case"compute":return Xn(i)?"impact":"close";case"contact":case"settle":return"close";default:return i.kind}}function lm(i){let t=[],e;for(let[n,s]of i.entries()){let r=ou(s);e!==void 0&&e.t===s.t?(e.count+=1,jl.indexOf(r)<jl.indexOf(e.family)&&(e.family=r)):(e={t:s.t,first:n,count:1,family:r},t.push(e))}return t}function Oi(i,t){let e=0,n=i.length;for(;e<n;){let s=e+n>>>1,r=i[s];r!==void 0&&r.t<=t?e=s+1:n=s}return e-1}function cm(i,t,e){let n=[],s;for(let r of i){let o=t(r.t);s!==void 0&&o-s.x1<e?(s.x1=o,s.count+=1,jl.indexOf(r.family)<jl.indexOf(s.family)&&(s.family=r.family)):(s={x0:o,x1:o,first:r,count:1,family:r.family},n.push(s))}return n}function tc(i,t,e){let n=t-i;if(!(n>0)||!Number.isFinite(n))return[i];let s=n/Math.max(1,e),r=10**Math.floor(Math.log10(s)),o=([1,2,5,10].find(l=>l*r>=s*.999999)??10)*r,a=[];for(let l=Math.ceil(i/o-1e-9);l*o<=t+1e-9*n&&a.length<200;l++)a.push(l*o);return a}var hm={impact:"M0-6.5 6 0 0 6.5-6 0z",close:"M-4.6 0a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0-9.2 0",open:"M-4.6 0a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0-9.2 0M-2 0a2 2 0 1 1 4 0a2 2 0 1 1-4 0",slip:"M-5.5 4.5 0-5.5 5.5 4.5z",zeno:"M0-7 1.8-2 7-2 2.8 1.2 4.4 6.2 0 3.1-4.4 6.2-2.8 1.2-7-2-1.8-2z",mode:"M-4.5-4.5h9v9h-9z",event:"M-1.2-7h2.4v14h-2.4z"};function um(i,t){let e=Vt("path",{d:hm[i.family],transform:`translate(${(i.x0+(i.count>1?i.x1:i.x0))/2} ${t})`});if(i.count===1)return[e];let n=[Vt("rect",{class:"dv-many",x:i.x0-5,y:t-8,width:i.x1-i.x0+10,height:16,rx:3}),e];return i.x1-i.x0>4&&n.push(Vt("text",{class:"dv-count",x:(i.x0+i.x1)/2,y:t-11},`${i.count}`)),n}function au(i){return Vt("svg",{class:`dv-markicon dv-${i}`,viewBox:"-8 -8 16 16","aria-hidden":"true"},Vt("path",{d:hm[i]}))}var as=30,Qr=60,Wb={impact:"impact",compute:"computation",after_impact:"after the impact",contact:"contact",settle:"settles",open:"opens",slip:"stick or slip",zeno:"Zeno limit",mode:"mode",event:"event"},ec=class{constructor(t,e,n,s){this.cursor=e;this.player=n;this.contacts=s;let{instants:r}=n;this.#a=new Map(e.run.places.map(a=>[a.name,a.text]));let o=C("div",{class:"dv-detail"},this.#n,this.#s,this.#i);t.classList.add("dv-events"),t.append(o),r.length>0&&(this.#o.style.height=`${r.length*as}px`,this.#r.style.setProperty("--rows",`${r.length*as}px`),this.#r.append(this.#o,this.#l),t.append(C("div",{class:"dv-instants-head"},`${gi(r.length,"instant")}, ${gi(e.run.transitions.length,"transition")}`),this.#r),this.#t.listen(this.#r,"scroll",()=>this.#g(),{passive:!0}),this.#t.listen(this.#r,"keydown",a=>this.#y(a)),this.#t.resize(this.#r,()=>this.#g())),this.#t.add(e.subscribe(()=>this.#e.ask())),this.#u(),s.load(()=>this.#e.ask()).catch(()=>{})}cursor;player;contacts;#t=new ue;#e=new Fe(()=>this.#u());#n=C("section",{class:"dv-now","aria-live":"off"});#s=C("section",{class:"dv-card","data-part":"just"});#i=C("section",{class:"dv-card","data-part":"next"});#r=C("div",{class:"dv-instants",tabindex:0,role:"listbox","aria-label":"Instants at which something happens"});#o=C("div",{class:"dv-spacer"});#l=C("div",{class:"dv-rows"});#a;#c="";#h=-2;destroy(){this.#t.run(),this.#e.cancel()}#u(){let{moment:t,run:e}=this.cursor,n=this.cursor.taken;this.#n.replaceChildren(C("div",{class:"dv-moment"},C("span",{class:"dv-muted"},"(t, n) = "),C("span",{class:"dv-num",title:`t = ${String(t.t)}`},Vi(t))),...this.#m(),...this.#x());let s=`${n}`;s!==this.#c&&(this.#c=s,this.#p(this.#s,"Just taken",e.transitions[n-1]),this.#p(this.#i,"Next",e.transitions[n])),this.#_()}#m(){let{run:t}=this.cursor;return[...t.machines.keys()].slice(0,50).flatMap(e=>{let n=this.cursor.place(e);if(n===null)return[];let s=this.#a.get(n)??"";return[C("div",{class:"dv-where"},Xt(n,{class:"dv-location"}),s!==""&&Xt(s,{class:"dv-muted"}))]})}#x(){let t=this.contacts.at(this.cursor.moment);if(t.length===0)return[];let e=t.slice(0,Qr).map(({contact:n,vector:s})=>[Xt(n),...s.map(r=>mn(r)),mn(Math.hypot(...s))]);return[C("h4",{},"Contact forces now",C("span",{class:"dv-muted"}," in N, on the second body")),lu(["contact","x","y","z","size"],e),...cu(t.length)]}#p(t,e,n){if(n===void 0){t.replaceChildren(C("h3",{},e),C("p",{class:"dv-muted"},e==="Next"?"Nothing happens any more.":"Nothing has happened yet."));return}let s=C("button",{type:"button",class:"dv-small dv-quiet dv-num",title:"go there"},Vi(n));s.addEventListener("click",()=>{this.player.pause(),this.cursor.set({t:n.t,n:n.n+(e==="Next"?0:1)})}),t.replaceChildren(C("h3",{},e,au(ou(n)),C("span",{class:"dv-kind"},Wb[n.kind]),C("span",{class:"dv-spring"}),s),C("p",{class:"dv-move"},...Xb(n),n.rule!==""&&C("span",{class:"dv-rule"},"rule ",Xt(n.rule))),$b([["guard",n.guard],["reset",n.reset],["contacts",n.contacts.join(", ")]]),...qb(n),...Yb(n))}#g(){let{instants:t}=this.player,e=Math.max(0,Math.floor(this.#r.scrollTop/as)-4),n=Math.min(t.length,Math.ceil((this.#r.scrollTop+this.#r.clientHeight)/as)+4),s=[];for(let r=e;r<n;r++){let o=t[r];if(o===void 0)continue;let a=C("div",{class:"dv-instant",role:"option",id:`dv-instant-${r}`,"aria-selected":String(r===this.#h),"data-t":String(o.t)},au(o.family),C("span",{class:"dv-num"},Lt(o.t)),C("span",{class:"dv-muted dv-fill"},Ql[o.family]),C("span",{class:"dv-muted dv-num"},`${o.count}`));a.style.top=`${r*as}px`,a.title=`t = ${String(o.t)}, ${gi(o.count,"transition")}`,a.addEventListener("click",()=>this.#d(r)),s.push(a)}this.#l.replaceChildren(...s)}#d(t){let e=this.player.instants[t];e!==void 0&&(this.player.pause(),this.cursor.set({t:e.t,n:this.cursor.run.transitions[e.first]?.n??0}))}#y(t){let e=t.key==="ArrowDown"?1:t.key==="ArrowUp"?-1:void 0;e!==void 0&&(t.preventDefault(),this.#d(Math.min(this.player.instants.length-1,Math.max(0,this.#h+e))))}#_(){let{instants:t}=this.player;if(t.length===0)return;let{t:e}=this.cursor.moment,n=Oi(t,e);if(n===this.#h&&this.#l.childElementCount>0)return;this.#h=n;let s=Math.max(0,n)*as;(s<this.#r.scrollTop||s+as>this.#r.scrollTop+this.#r.clientHeight)&&(this.#r.scrollTop=s-this.#r.clientHeight/2),this.#r.setAttribute("aria-activedescendant",n>=0?`dv-instant-${n}`:""),this.#g()}};function Xb({from:i,to:t}){return i===t?[C("span",{class:"dv-muted"},"in"),Xt(i)]:[Xt(i,{class:"dv-location"}),C("span",{class:"dv-muted"},"\u2192"),Xt(t,{class:"dv-location"})]}function $b(i){let t=C("dl",{class:"dv-facts"});for(let[e,n]of i)n!==""&&t.append(C("dt",{},e),C("dd",{class:"dv-code"},Xt(n)));return t}function lu(i,t){let e=(n,s,r)=>C(r,s>0?{class:"dv-right"}:{},n);return C("div",{class:"dv-wide"},C("table",{class:"dv-table"},C("thead",{},C("tr",{},...i.map((n,s)=>e(n,s,"th")))),C("tbody",{},...t.map(n=>C("tr",{},...n.map((s,r)=>e(s,r,"td")))))))}function qb(i){if(i.forces.length===0)return[];let t=Xn(i)?"N s":"N",e=i.forces.slice(0,Qr).map(n=>[Xt(n.contact),mn(n.normal),mn(n.tangential[0]),mn(n.tangential[1]),mn(tm(n))]);return[C("h4",{},Xn(i)?"Impulses":"Forces",C("span",{class:"dv-muted"},` in ${t}`)),lu(["contact","normal","tangential 1","tangential 2","size"],e),...cu(i.forces.length)]}function Yb(i){if(i.changes.length===0)return[];let t=i.changes.slice(0,Qr).map(e=>[Xt(e.signal),mn(e.before),mn(e.after)]);return[C("h4",{},"Changes"),lu(["signal","before","after"],t),...cu(i.changes.length)]}function cu(i){return i>Qr?[C("p",{class:"dv-muted"},`and ${i-Qr} more`)]:[]}function hu(i){return[...i.machines.keys()].filter(t=>i.machines[t]?.name!=="")}function Zb(i,t){let e=i.machines[t];if(e===void 0)return[];let n=[],s=[{t:i.from,place:e.initial},...e.moves];for(let[r,{t:o,place:a}]of s.entries()){let l=s[r+1]?.t??i.to;if(l<=o)continue;let c=n[n.length-1];c!==void 0&&c.place===a&&c.to===o?c.to=l:n.push({from:o,to:l,place:a,merged:1})}return n}function Kb(i,t){let e=[];for(let n of i){let s=e[e.length-1],r=n.to-n.from<t;s!==void 0&&r&&(s.merged>1||s.to-s.from<t)?(s.to=n.to,s.merged+=1):e.push({...n})}return e}var nc=26,ic=class{constructor(t,e){this.cursor=e;let{run:n}=e,s=C("div",{class:"dv-modes"});for(let r of hu(n)){let o=Zb(n,r),a=new Map;for(let{place:d}of o)d!==null&&!a.has(d)&&a.set(d,a.size%7);let l=n.machines[r]?.name??"",c=Vt("svg",{height:nc,role:"img","aria-label":`modes of ${qt(l)} over time`}),h=Vt("line",{class:"dv-modes-head",y1:0,y2:nc}),u=C("span",{class:"dv-mode-now"});s.append(C("div",{class:"dv-mode-name"},Xt(l),u),C("div",{class:"dv-lane"},c)),this.#n.push({machine:r,stretches:o,colours:a,lane:c,now:u,head:h}),this.#t.listen(c,"pointerdown",d=>{let f=c.getBoundingClientRect();e.setTime(n.from+(d.clientX-f.left)/Math.max(1,f.width)*(n.to-n.from))})}s.append(C("div"),C("div",{class:"dv-lane"},this.#s)),t.append(s),this.#t.resize(s,()=>this.#r()),this.#t.add(e.subscribe(()=>this.#e.ask())),this.#o()}cursor;#t=new ue;#e=new Fe(()=>this.#o());#n=[];#s=Vt("svg",{class:"dv-modes-axis",height:20,"aria-hidden":"true"});#i=0;destroy(){this.#t.run(),this.#e.cancel()}#r(){let t=this.#s.parentElement?.clientWidth??0;if(t===0||t===this.#i)return;this.#i=t;let{from:e,to:n}=this.cursor.run,s=r=>n>e?(r-e)/(n-e)*t:0;for(let{lane:r,stretches:o,colours:a,head:l,machine:c}of this.#n){r.setAttribute("width",String(t));let h=this.cursor.run.machines[c]?.name??"",u=Kb(o,(n-e)/t*1.5).filter(d=>d.place!==null||d.merged>1);r.replaceChildren(...u.map(d=>Jb(d,a.get(d.place??"")??0,s,dm(d.place??"",h))),l)}this.#s.setAttribute("width",String(t)),this.#s.replaceChildren(...tc(e,n,t/90).map(r=>Vt("text",{x:Math.min(t-12,Math.max(4,s(r))),y:14},Lt(r,5)))),this.#o()}#o(){let{moment:t,run:e}=this.cursor,n=e.to>e.from?(t.t-e.from)/(e.to-e.from)*this.#i:0;for(let{head:s,now:r,machine:o}of this.#n){s.setAttribute("x1",String(n)),s.setAttribute("x2",String(n));let a=e.machines[o]?.name??"",l=this.cursor.place(o),c=l===null?"not active":dm(l,a);r.dataset.place!==c&&(r.dataset.place=c,r.replaceChildren(Xt(c)))}}};function dm(i,t){return i.startsWith(`${t}.`)?i.slice(t.length+1):i}function Jb(i,t,e,n){let s=e(i.from),r=Math.max(.75,e(i.to)-s),o=i.merged>1,a=Vt("g",{class:o?"dv-stretch dv-many-modes":`dv-stretch dv-mode-${t}`},Vt("title",{},o?`${i.merged} stretches from ${Ot(i.from)} to ${Ot(i.to)}`:`${qt(n)} from ${Ot(i.from)} to ${Ot(i.to)}`),Vt("rect",{x:s,y:3,width:r,height:nc-6,rx:Math.min(3,r/2)})),l=qt(n);if(!o&&r>8+7*Math.min(l.length,4)){let c=Math.floor((r-8)/7);a.append(Vt("text",{x:s+5,y:nc/2+4},l.length<=c?l:`${l.slice(0,Math.max(1,c-1))}\u2026`))}return a}var jb=450,Qb=100,uu=[.01,.02,.05,.1,.2,.5,1,2,5,10],sc=class{constructor(t){this.cursor=t;this.instants=lm(t.run.transitions);let e=t.run.to-t.run.from,n=e>0&&(e>300||e<.05)?Number((e/20).toPrecision(1)):null;this.speeds=n===null||uu.includes(n)?uu:[...uu,n].sort((s,r)=>s-r),this.speed=n??(e<.5?.05:e<1.5?.2:e>60?5:e<3?.5:1)}cursor;instants;speeds;speed;loop=!1;atEvents="through";#t=0;#e=0;#n=0;#s=new Set;get playing(){return this.#t!==0}play(){if(this.playing)return;let{cursor:t}=this;t.moment.t>=t.run.to&&this.#i()===void 0?t.set({t:t.run.from,n:0}):this.atEvents==="stop"&&this.#i()?.t===t.moment.t&&t.setTime(t.moment.t),this.#e=performance.now(),this.#n=0,this.#t=requestAnimationFrame(e=>this.#r(e)),this.#o()}pause(){this.playing&&(cancelAnimationFrame(this.#t),this.#t=0,this.#o())}toggle(){this.playing?this.pause():this.play()}step(t){this.pause(),this.cursor.step(t)}instant(t){this.pause();let{cursor:e}=this,{t:n}=e.moment,s=Oi(this.instants,n),r=this.instants[t===1?s+1:s];if(t===-1&&r!==void 0&&r.t===n){let o=e.run.transitions[r.first];o!==void 0&&e.moment.n<=o.n&&(r=this.instants[s-1])}if(r===void 0){t===1?this.end():this.start();return}e.set({t:r.t,n:e.run.transitions[r.first]?.n??0})}start(){this.pause(),this.cursor.set({t:this.cursor.run.from,n:0})}end(){this.pause(),this.cursor.setTime(this.cursor.run.to)}faster(t){let e=this.speeds.findIndex(n=>n>=this.speed*.999);this.setSpeed(this.speeds[Math.min(this.speeds.length-1,Math.max(0,e+t))]??1)}setSpeed(t){this.speed=t,this.#o()}setLoop(t){this.loop=t,this.#o()}setAtEvents(t){this.atEvents=t,this.#o()}subscribe(t){return this.#s.add(t),()=>this.#s.delete(t)}destroy(){cancelAnimationFrame(this.#t),this.#t=0,this.#s.clear()}#i(){return this.cursor.run.transitions[this.cursor.taken]}#r(t){let e=Math.min(Qb,Math.max(0,t-this.#e));this.#e=t,this.#t=requestAnimationFrame(n=>this.#r(n)),this.advance(e)}advance(t){let{cursor:e}=this,n=this.#i();if(this.atEvents==="slow"&&n!==void 0&&n.t===e.moment.t){if(this.#n+=t,this.#n<jb)return;this.#n=0,e.step(1);return}let s=e.moment.t+t/1e3*this.speed;if(this.atEvents!=="through"&&n!==void 0&&n.t<=s){e.set({t:n.t,n:n.n}),this.#n=0,this.atEvents==="stop"&&this.pause();return}if(s<e.run.to){e.setTime(s);return}e.setTime(e.run.to),this.loop&&e.run.to>e.run.from?e.set({t:e.run.from,n:0}):this.pause()}#o(){for(let t of this.#s)t()}};var to=48,rc=class{constructor(t,e){this.cursor=t;this.player=e;this.element.hidden=t.run.transitions.length===0}cursor;player;element=C("div",{class:"dv-microsteps",role:"group","aria-label":"Microsteps of this instant"});#t=null;#e=[];#n=[];#s=[];destroy(){this.element.replaceChildren()}show(){if(this.element.hidden)return;let{moment:t}=this.cursor,{instants:e}=this.player,n=Oi(e,t.t),s=e[n];if(s===void 0||s.t!==t.t){this.#i(e[n+1]);return}(this.#t?.t!==s.t||this.#t.idle)&&(this.#e=tM(this.cursor.run.transitions.slice(s.first,s.first+s.count)),this.#o(s.t,0)),this.#r(t.n),this.#c(t.n)}#i(t){let e=t?.t??1/0;this.#t?.idle===!0&&this.#t.t===e||(this.#t={t:e,from:0,idle:!0},this.#n=[],this.#s=[],this.element.replaceChildren(C("span",{class:"dv-muted dv-hint"},t===void 0?"Nothing happens any more.":`Next at t = ${Lt(t.t)}: ${gi(t.count,"transition")}`)))}#r(t){let e=this.#t;if(e===null||this.#e.length<=to)return;let n=this.#e.findIndex(o=>o.n+1>=t),s=n<0?this.#e.length-1:n;if(s>=e.from+2&&s<e.from+to-2)return;let r=Math.min(Math.max(0,s-to/2),this.#e.length-to);r!==e.from&&this.#o(e.t,r)}#o(t,e){this.#t={t,from:e,idle:!1},this.#n=[],this.#s=[];let n=C("ol"),s=this.#e.slice(e,e+to),r=s[0];e>0&&n.append(C("li",{class:"dv-muted"},`${e} earlier \u2026`)),r!==void 0&&n.append(this.#l(t,r.n,fm(r,"from")));for(let a of s)n.append(this.#a(t,a),this.#l(t,a.n+1,fm(a,"to")));let o=this.#e.length-e-s.length;o>0&&n.append(C("li",{class:"dv-muted"},`\u2026 ${o} more`)),this.element.replaceChildren(n)}#l(t,e,n){let s=C("button",{type:"button",class:"dv-place","data-n":e,"data-place":n.join("; "),title:`microstep ${e}`},C("small",{},String(e)),...n.slice(0,3).map(r=>Xt(r)),n.length>3&&C("small",{},`+${n.length-3}`));return s.addEventListener("click",()=>{this.player.pause(),this.cursor.set({t,n:e})}),this.#n.push({n:e,element:s}),C("li",{},s)}#a(t,e){let[n]=e.transitions,s=n===void 0?"":e.transitions.length>1?`${e.transitions.length} transitions`:n.kind.replace("_"," "),r=e.transitions.map(a=>qt(a.guard)).join(`
`),o=C("button",{type:"button",class:"dv-edge",title:r===""?s:`guard: ${r}`},s);return o.addEventListener("click",()=>{this.player.pause(),this.cursor.set({t,n:e.n+1})}),this.#s.push({n:e.n+1,element:o}),C("li",{class:"dv-edge-item"},o)}#c(t){let e=null;for(let r of this.#n)r.n<=t&&(e=r.element);for(let{element:r}of this.#n)r===e?r.setAttribute("aria-current","step"):r.removeAttribute("aria-current");for(let r of this.#s)r.element.classList.toggle("dv-taken",r.n<=t);for(let r of this.#s)r.element.classList.toggle("dv-just",r.n===t);if(e===null)return;let n=this.element,s=e.offsetLeft-n.offsetLeft;(s<n.scrollLeft+60||s+e.offsetWidth>n.scrollLeft+n.clientWidth-60)&&(n.scrollLeft=s-n.clientWidth/2+e.offsetWidth/2)}};function fm(i,t){let e=i.transitions.filter(n=>n.from!==n.to);return[...new Set((e.length>0?e:i.transitions).map(n=>n[t]))]}function tM(i){let t=[];for(let e of i){let n=t[t.length-1];n!==void 0&&n.n===e.n?n.transitions.push(e):t.push({n:e.n,transitions:[e]})}return t}var Fi=14,oc=46,ls=22,ac=class{constructor(t,e,n){this.cursor=e;this.player=n;this.#a=new rc(e,n),this.#c=te("Play",()=>n.toggle(),{icon:"play",key:"space",class:"dv-main dv-play"}),this.#n.append(Vt("rect",{class:"dv-track",x:Fi,y:ls-2,height:4,rx:2}),this.#i,this.#s,this.#r),t.append(this.#g(),C("div",{class:"dv-barhost"},this.#n),this.#a.element),this.#t.resize(t,s=>this.#_(s)),this.#t.add(e.subscribe(()=>this.#e.ask())),this.#t.add(n.subscribe(()=>this.#d())),this.#S(),this.#t.listen(this.#o,"change",()=>this.#y()),this.#d(),this.#b()}cursor;player;#t=new ue;#e=new Fe(()=>this.#b());#n=Vt("svg",{class:"dv-bar",height:oc,tabindex:0,role:"slider","aria-label":"time","aria-keyshortcuts":"ArrowLeft ArrowRight"});#s=Vt("g");#i=Vt("rect",{class:"dv-done",y:ls-2,height:4,rx:2});#r=Vt("g",{class:"dv-head"},Vt("line",{y1:3,y2:oc-15}),Vt("circle",{cy:ls,r:6.5}));#o=C("input",{type:"text",class:"dv-time dv-num","aria-label":"time t in seconds",spellcheck:"false",autocomplete:"off",inputmode:"decimal"});#l=C("output",{class:"dv-micro dv-num","aria-live":"off"});#a;#c;#h=0;destroy(){this.#t.run(),this.#e.cancel(),this.#a.destroy()}#u(t){let{from:e,to:n}=this.cursor.run,s=n-e;return Fi+(s>0?(t-e)/s:0)*Math.max(0,this.#h-2*Fi)}#m=Sn("Speed of playing",[],"",()=>{},{class:"dv-speed"});#x=qn("Loop",!1,t=>this.player.setLoop(t),{icon:"loop",key:"L",class:"dv-quiet"});#p=null;#g(){let{player:t}=this;for(let n of t.speeds)this.#m.append(C("option",{value:String(n)},`${String(n)}\xD7`));this.#m.addEventListener("change",()=>t.setSpeed(Number(this.#m.value))),this.#p=Sn("What playing does at events",[{value:"through",text:"At events: go on"},{value:"slow",text:"At events: go slowly"},{value:"stop",text:"At events: stop"}],t.atEvents,n=>t.setAtEvents(n),{class:"dv-at-events"});let e={class:"dv-quiet"};return C("div",{class:"dv-transport",role:"toolbar","aria-label":"Transport"},C("div",{class:"dv-buttons"},te("To the start",()=>t.start(),{icon:"start",key:"Home",...e}),te("To the previous instant with events",()=>t.instant(-1),{icon:"previousInstant",key:"Shift \u2190",...e}),te("One microstep back",()=>t.step(-1),{icon:"previous",key:"\u2190",...e}),this.#c,te("One microstep on",()=>t.step(1),{icon:"next",key:"\u2192",...e}),te("To the next instant with events",()=>t.instant(1),{icon:"nextInstant",key:"Shift \u2192",...e}),te("To the end",()=>t.end(),{icon:"end",key:"End",...e})),C("div",{class:"dv-clock"},C("label",{},C("span",{class:"dv-muted"},"t"),this.#o),this.#l),C("div",{class:"dv-settings"},this.#m,this.#x,this.#p))}#d(){let{player:t}=this;Au(this.#c,t.playing?"pause":"play",t.playing?"Pause (space)":"Play (space)"),this.#m.value=String(t.speed),this.#x.setAttribute("aria-pressed",String(t.loop)),this.#p!==null&&(this.#p.value=t.atEvents)}#y(){let t=Number(this.#o.value.replace(",",".").replace("\u2212","-"));this.#o.value.trim()!==""&&Number.isFinite(t)&&(this.player.pause(),this.cursor.setTime(t)),this.#b()}#_(t){t===0||t===this.#h||(this.#h=t,this.#n.setAttribute("viewBox",`0 0 ${t} ${oc}`),this.#n.setAttribute("width",String(t)),this.#n.querySelector(".dv-track")?.setAttribute("width",String(Math.max(0,t-2*Fi))),this.#f(),this.#b())}#f(){let{run:t}=this.cursor,e=tc(t.from,t.to,this.#h/90).map(n=>Vt("g",{class:"dv-tick",transform:`translate(${this.#u(n)} 0)`},Vt("line",{y1:ls+5,y2:ls+9}),Vt("text",{y:oc-4},Lt(n,5))));t.mark!==null&&e.push(Vt("g",{class:"dv-flag",transform:`translate(${this.#u(t.mark.t)} 0)`},Vt("title",{},t.mark.text),Vt("path",{d:`M0 ${ls+8}V2h9l-2.5 3.5L9 9H0`})));for(let n of cm(this.player.instants,s=>this.#u(s),9)){let s=n.count===1?`${Ql[n.family]} at t = ${Ot(n.first.t)}, ${gi(n.first.count,"transition")}`:`${n.count} instants from t = ${Ot(n.first.t)}`;e.push(Vt("g",{class:`dv-mark dv-${n.family}`,"data-instants":n.count,"data-t":Ot(n.first.t)},Vt("title",{},s),...um(n,ls)))}this.#s.replaceChildren(...e)}#S(){let t=e=>{let n=this.#n.getBoundingClientRect(),{from:s,to:r}=this.cursor.run,o=(e.clientX-n.left-Fi)/Math.max(1,n.width-2*Fi),a=s+Math.min(1,Math.max(0,o))*(r-s);this.player.pause(),this.cursor.setTime(this.#M(a,(r-s)*4/Math.max(1,n.width)))};this.#t.listen(this.#n,"pointerdown",e=>{e.button===0&&(this.#n.setPointerCapture(e.pointerId),t(e))}),this.#t.listen(this.#n,"pointermove",e=>{this.#n.hasPointerCapture(e.pointerId)&&t(e)})}#M(t,e){let{instants:n}=this.player,s=Oi(n,t),r=t,o=e;for(let a of[n[s],n[s+1]])a!==void 0&&Math.abs(a.t-t)<o&&(r=a.t,o=Math.abs(a.t-t));return r}#b(){let{moment:t,run:e}=this.cursor,n=this.#u(t.t);this.#r.setAttribute("transform",`translate(${n} 0)`),this.#i.setAttribute("x",String(Fi)),this.#i.setAttribute("width",String(Math.max(0,n-Fi))),document.activeElement!==this.#o&&(this.#o.value=Lt(t.t,8).replace("\u2212","-")),this.#o.title=Ot(t.t),this.#l.textContent=this.#v(t);let s={"aria-valuemin":e.from,"aria-valuemax":e.to,"aria-valuenow":t.t,"aria-valuetext":`t = ${Lt(t.t)}, microstep ${t.n}`,"data-t":Ot(t.t),"data-n":t.n};for(let[r,o]of Object.entries(s))this.#n.setAttribute(r,String(o));this.#n.setAttribute("data-moment",Vi(t)),this.#a.show()}#v(t){let e=this.cursor.lastMicrostep(t.t);return e===0?"n = 0":`n = ${t.n} of ${e}`}};var eM=[[["scene","plots","events","graph","modes","values"]],[["scene","plots","modes"],["events","graph","values"]],[["scene","graph","modes"],["plots"],["events","values"]]],pm=[980,1560],lc=class{element=C("div",{class:"dv-main"});#t=new ue;#e=C("div",{class:"dv-grid"});#n=C("div",{class:"dv-tabs",role:"tablist","aria-label":"Parts of the page"});#s=new Map;constructor(){this.element.append(this.#n,this.#e),this.#n.addEventListener("keydown",t=>this.#l(t)),this.#t.resize(this.element,t=>{t>0&&this.#i(t>=pm[1]?3:t>=pm[0]?2:1)})}destroy(){this.#t.run()}#i(t){if(this.#e.dataset.columns===String(t))return;this.#e.dataset.columns=String(t);let e=(eM[t-1]??[]).map(n=>C("div",{class:"dv-column"},...n.map(s=>this.#s.get(s))));this.#e.replaceChildren(...e.filter(n=>n.childElementCount>0))}add(t,e){let n=C("span",{class:"dv-tools"}),s=C("div",{class:"dv-body"}),r=te("Larger or smaller",()=>this.#o(t),{icon:"grow",class:"dv-small dv-quiet dv-grow","aria-pressed":"false"}),o=C("section",{class:`dv-panel dv-panel-${t}`,id:`dv-panel-${t}`,"data-panel":t,"aria-label":e},C("header",{},C("h2",{},e),C("span",{class:"dv-spring"}),n,r),s),a=C("button",{type:"button",role:"tab",id:`dv-tab-${t}`,"data-tab":t,"aria-controls":`dv-panel-${t}`},e);return a.addEventListener("click",()=>this.show(t)),this.#s.set(t,o),this.#n.append(a),this.#e.append(o),this.#s.size===1?this.show(t):this.#r(),{id:t,body:s,tools:n}}get active(){return this.#e.dataset.active??null}show(t){this.#s.has(t)&&(this.#e.dataset.active=t,this.#r())}#r(){let t=this.#e.dataset.active;for(let[e,n]of this.#s)n.classList.toggle("dv-active",e===t);for(let e of this.#n.querySelectorAll("[role=tab]")){let n=e.dataset.tab===t;e.setAttribute("aria-selected",String(n)),e.tabIndex=n?0:-1}}#o(t){let e=this.#e.dataset.grown===t?"":t;this.#e.dataset.grown=e;for(let[n,s]of this.#s)s.classList.toggle("dv-grown",n===e),s.querySelector(".dv-grow")?.setAttribute("aria-pressed",String(n===e))}#l(t){let e=t.key==="ArrowRight"?1:t.key==="ArrowLeft"?-1:0;if(e===0)return;t.preventDefault();let n=[...this.#s.keys()],s=n.indexOf(this.#e.dataset.active),r=n[(s+e+n.length)%n.length];r!==void 0&&(this.show(r),this.#n.querySelector(`[data-tab=${r}]`)?.focus())}};var cc=26,hc=class{constructor(t,e,n,s){this.loaded=n;this.cursor=s;this.#o=n.run.signals,this.#s.append(this.#i,this.#r),t.append(C("div",{class:"dv-searchrow"},this.#n),this.#s),e.append(te("Copy",()=>{this.#m()},{class:"dv-small dv-quiet",title:"Copy names and values with all digits"})),this.#t.listen(this.#n,"input",()=>this.#c()),this.#t.listen(this.#s,"scroll",()=>this.#e.ask(),{passive:!0}),this.#t.resize(this.#s,()=>this.#e.ask()),this.#t.add(s.subscribe(()=>this.#e.ask())),n.ready.then(()=>this.#c()).catch(()=>{})}loaded;cursor;#t=new ue;#e=new Fe(()=>this.#h());#n=C("input",{type:"search",placeholder:"Search signals","aria-label":"Search signals"});#s=C("div",{class:"dv-values",tabindex:0,role:"region","aria-label":"Values at the moment"});#i=C("div",{class:"dv-spacer"});#r=C("div",{class:"dv-rows"});#o;#l=new Set;#a=new Map;destroy(){this.#t.run(),this.#e.cancel()}#c(){let t=this.#n.value.toLowerCase().split(/\s+/).filter(e=>e!=="");this.#o=this.loaded.run.signals.filter(e=>t.every(n=>e.name.toLowerCase().includes(n))),this.#i.style.height=`${Math.max(1,this.#o.length)*cc}px`,this.#e.ask()}#h(){if(this.#s.clientHeight===0)return;let{moment:t}=this.cursor,e=Math.max(0,Math.floor(this.#s.scrollTop/cc)),n=this.#o.slice(e,e+Math.ceil(this.#s.clientHeight/cc)+1);this.#r.replaceChildren(...n.map((s,r)=>{this.#u(s.name);let o=this.loaded.cached(s.name)!==null,a=this.loaded.valueAt(s.name,t),l=this.#a.get(s.name),c=C("div",{class:"dv-value","data-signal":s.name},Xt(s.name,{title:qt(s.name)}),C("span",{class:"dv-num",title:l??(o?Ot(a):""),"data-value":o?Ot(a):""},l!==void 0?"unreadable":o?Lt(a):"\u2026"),C("span",{class:"dv-muted"},qt(s.unit)));return c.style.top=`${(e+r)*cc}px`,c})),this.#o.length===0&&this.#r.replaceChildren(C("p",{class:"dv-muted dv-none"},"No signal has such a name."))}#u(t){this.#l.has(t)||(this.#l.add(t),this.loaded.column(t).then(()=>this.#e.ask(),e=>{this.#a.set(t,e instanceof Error?e.message:String(e)),this.#e.ask()}))}async#m(){let{moment:t}=this.cursor,e=[`t	${Ot(t.t)}`,`n	${t.n}`];for(let n of this.#o)await this.loaded.column(n.name).catch(()=>{}),e.push(`${n.name}	${Ot(this.loaded.valueAt(n.name,t))}`);await navigator.clipboard?.writeText(e.join(`
`)).catch(()=>{})}};var uc=class{element=C("div",{class:"dv-run"});foot=C("footer",{class:"dv-foot"});cursor;player;#t=[];#e;#n=null;constructor(t,e,n,s,r){let o=new ds(n,s),a=new Mo(s);this.cursor=a;let l=new Gl(o);this.player=new sc(a),r!==null&&this.#s(r),this.#t.push(this.player);let c=new lc;if(this.#e=c,this.#t.push(c),this.element.append(c.element,od(s)),t.append(this.element),e.append(this.foot),s.bodies.length>0){let{body:u,tools:d}=c.add("scene","Scene");this.#n=new Jl(u,d,o,a,l,r?.scene??null),this.#t.push(this.#n)}if(s.signals.length>0){let{body:u}=c.add("plots","Plots");this.#t.push(new Ho(u,o,a))}let{body:h}=c.add("events","Events");if(this.#t.push(new ec(h,a,this.player,l)),n.page.graphs.length>0){let{body:u,tools:d}=c.add("graph",n.page.kind==="actors"?"Actors and modes":"Automaton");this.#t.push(new Eo(u,d,n.page.graphs,a))}if(hu(s).length>0){let{body:u}=c.add("modes","Modes over time");this.#t.push(new ic(u,a))}if(s.signals.length>0){let{body:u,tools:d}=c.add("values","Values");this.#t.push(new hc(u,d,o,a))}this.#t.push(new ac(this.foot,a,this.player)),o.ready.catch(u=>{this.element.prepend(C("p",{class:"dv-note",role:"alert"},`The numbers of this run cannot be read: ${u instanceof Error?u.message:String(u)}`))}),r?.panel&&c.show(r.panel),s.mark!==null&&a.setTime(s.mark.t)}#s({speed:t,loop:e,atEvents:n}){this.player.speeds.includes(t)&&(this.player.speed=t),this.player.loop=e,this.player.atEvents=n}get look(){let{speed:t,loop:e,atEvents:n}=this.player;return{panel:this.#e.active,scene:this.#n?.look??null,speed:t,loop:e,atEvents:n}}destroy(){for(let t of this.#t.splice(0).reverse())t.destroy();this.element.remove(),this.foot.remove()}};var mm=`
.dv, .dv * { box-sizing: border-box; }
.dv {
  font: 14px/1.45 var(--font); color: var(--fg); background: var(--bg);
  container: dv / inline-size; -webkit-text-size-adjust: 100%;
}
.dv [hidden] { display: none !important; }
.dv bdi { unicode-bidi: isolate; }
.dv .dv-escape {
  font: 0.82em/1 var(--mono); padding: 0 3px; margin: 0 1px; border: 1px solid currentColor; border-radius: 3px; opacity: 0.75;
}
.dv .dv-num { font-family: var(--mono); font-variant-numeric: tabular-nums; font-size: 0.93em; }
.dv .dv-muted { color: var(--muted); }
.dv .dv-code { font-family: var(--mono); font-size: 0.9em; overflow-wrap: anywhere; }

.dv button, .dv select, .dv input[type=search], .dv input[type=text] {
  font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
  min-height: 32px; padding: 3px 9px;
}
.dv button { cursor: pointer; display: inline-flex; align-items: center; justify-content: center; gap: 6px; white-space: nowrap; }
.dv button:hover:not(:disabled) { border-color: var(--muted); background: var(--raised); }
.dv button:disabled { opacity: 0.45; cursor: default; }
.dv button[aria-pressed=true] { background: var(--accent-soft); border-color: var(--accent); color: var(--fg); }
.dv button.dv-quiet { border-color: transparent; background: transparent; }
.dv button.dv-quiet:hover { background: var(--raised); }
.dv button.dv-quiet[aria-pressed=true] { background: var(--accent-soft); border-color: var(--accent); }
.dv button.dv-small, .dv select.dv-small { min-height: 26px; padding: 1px 7px; font-size: 12.5px; }
.dv button.dv-main { background: var(--accent); border-color: var(--accent); color: var(--accent-fg); }
.dv button.dv-main:hover { background: var(--accent); filter: brightness(1.08); }
.dv button svg { width: 16px; height: 16px; fill: currentColor; flex: none; display: block; }
.dv :focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
.dv :focus:not(:focus-visible) { outline: none; }

.dv-panel {
  background: var(--panel); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--shade);
  display: flex; flex-direction: column; min-width: 0; min-height: 0; overflow: hidden;
}
.dv-panel > header {
  display: flex; align-items: center; flex-wrap: wrap; gap: 4px 6px; padding: 5px 6px 5px 12px; border-bottom: 1px solid var(--line); min-height: 38px;
}
.dv-panel > header h2 { font-size: 12.5px; font-weight: 650; margin: 0; letter-spacing: 0.01em; }
.dv-panel > header .dv-spring { flex: 1; }
.dv-panel > .dv-body { flex: 1; min-height: 0; min-width: 0; position: relative; display: flex; flex-direction: column; }

.dv table.dv-table { border-collapse: collapse; width: 100%; font-size: 13px; }
.dv .dv-table th { text-align: left; font-weight: 550; color: var(--muted); font-size: 12px; padding: 2px 10px 2px 0; white-space: nowrap; }
.dv .dv-table td { padding: 2px 10px 2px 0; vertical-align: top; border-top: 1px solid color-mix(in srgb, var(--line) 55%, transparent); }
.dv .dv-table .dv-right { text-align: right; }
.dv-wide { overflow-x: auto; }
.dv-hidden-text { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.dv kbd { font: 12px/1.3 var(--mono); border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; padding: 1px 6px; background: var(--raised); }
@media (prefers-reduced-motion: no-preference) { .dv button { transition: background-color 0.12s, border-color 0.12s; } }
`;var gm=`
.dv-events .dv-detail { flex: 1 1 auto; overflow: auto; padding: 8px 12px 4px; min-height: 0; }
.dv-moment { font-size: 15px; } .dv-moment .dv-num { font-weight: 650; }
.dv-where { display: flex; gap: 8px; flex-wrap: wrap; align-items: baseline; font-size: 13px; margin-top: 2px; }
.dv-location { font-weight: 650; }
.dv-card { border-top: 1px solid var(--line); margin-top: 8px; padding-top: 6px; }
.dv-card h3 { display: flex; align-items: center; gap: 6px; font-size: 12px; font-weight: 600; color: var(--muted); margin: 0; }
.dv-card h3 .dv-spring { flex: 1; } .dv-card h3 .dv-kind { color: var(--fg); }
.dv-detail h4 { font-size: 12px; margin: 8px 0 1px; font-weight: 600; } .dv-detail h4 .dv-muted { font-weight: 400; }
.dv-card p { margin: 2px 0; } .dv-move { display: flex; flex-wrap: wrap; gap: 2px 6px; align-items: baseline; overflow-wrap: anywhere; }
.dv-rule { font-size: 12px; color: var(--muted); border: 1px solid var(--line); border-radius: 999px; padding: 0 8px; margin-left: 4px; }
.dv-facts { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 1px 10px; margin: 4px 0 0; } .dv-facts dt { color: var(--muted); font-size: 12px; } .dv-facts dd { margin: 0; }
.dv-instants-head { border-top: 1px solid var(--line); padding: 4px 12px; font-size: 12px; color: var(--muted); background: var(--raised); }
.dv-instants { position: relative; overflow: auto; flex: 0 0 auto; height: min(32%, 180px, var(--rows)); min-height: min(90px, var(--rows)); }
.dv-instants:focus-visible { outline-offset: -2px; }
.dv-instant { position: absolute; left: 0; right: 0; height: 30px; display: flex; align-items: center; gap: 9px; padding: 0 12px; font-size: 13px; cursor: pointer; white-space: nowrap; }
.dv-instant:hover { background: var(--raised); } .dv-instant[aria-selected=true] { background: var(--accent-soft); box-shadow: inset 3px 0 0 var(--accent); }
.dv-instant .dv-fill { flex: 1; overflow: hidden; text-overflow: ellipsis; font-size: 12.5px; }
`;var xm=`
.dv-scene { overflow: hidden; touch-action: none; }
.dv-scene .dv-canvas { position: absolute; inset: 0; width: 100%; height: 100%; display: block; }
.dv-scene .dv-canvas:focus-visible { outline-offset: -3px; }
.dv-labels { position: absolute; inset: 0; pointer-events: none; overflow: hidden; }
.dv-labels span {
  position: absolute; left: 0; top: 0; font-size: 12px; font-weight: 600; padding: 0 5px; border-radius: 4px; white-space: nowrap; max-width: 16em; overflow: hidden; text-overflow: ellipsis;
  color: var(--fg); background: color-mix(in srgb, var(--panel) 72%, transparent);
}
.dv-legend { position: absolute; left: 10px; bottom: 8px; display: flex; flex-direction: column; gap: 2px; font-size: 12px; pointer-events: none; }
.dv-legend span { display: inline-flex; align-items: center; gap: 7px; padding: 1px 8px 1px 6px; border-radius: 5px; background: color-mix(in srgb, var(--panel) 82%, transparent); width: max-content; }
.dv-legend i { display: inline-block; width: 26px; height: 10px; position: relative; }
.dv-legend i::before { content: ""; position: absolute; left: 0; right: 6px; top: 4px; height: 2px; background: var(--tint); }
.dv-legend i::after { content: ""; position: absolute; right: 0; top: 1px; border: 4px solid transparent; border-left: 8px solid var(--tint); border-right: 0; }
.dv-legend-force { --tint: var(--force); } .dv-legend-impulse { --tint: var(--impulse); }
.dv-legend-impulse i::before { height: 4px; top: 3px; border-radius: 2px; box-shadow: -1px 0 0 2px var(--tint) inset; }
.dv-triad { position: absolute; right: 4px; bottom: 4px; pointer-events: none; } .dv-triad line { stroke: var(--muted); stroke-width: 1.5; } .dv-triad text { font: 11px var(--mono); fill: var(--muted); text-anchor: middle; }
.dv-follow { max-width: 13ch !important; }
`;var vm=`
html:has(.dv) { background: var(--bg); }
body:has(> .dv) { margin: 0; }
.dv-top {
  display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; padding: 8px 16px; background: var(--panel); border-bottom: 1px solid var(--line);
}
.dv-top h1 { font-size: 17px; margin: 0; font-weight: 650; overflow-wrap: anywhere; max-width: 60ch; }
.dv-top .dv-spring { flex: 1; }
.dv-status { font-size: 13px; color: var(--muted); display: inline-flex; gap: 6px; align-items: center; }
.dv-status.dv-early { color: var(--unsafe); }
.dv-verdict { font-weight: 700; letter-spacing: 0.04em; border: 1.5px solid currentColor; border-radius: 5px; padding: 1px 8px; color: var(--undecided); }
.dv-verdict.dv-safe { color: var(--safe); }
.dv-verdict.dv-unsafe { color: var(--unsafe); border-style: double; border-width: 3px; }
.dv-verdict.dv-unknown { border-style: dashed; }
.dv-runs { max-width: 40ch; }
.dv-page { display: flex; flex-direction: column; min-width: 0; }
.dv-note { margin: 10px 16px 0; padding: 7px 12px; border-left: 3px solid var(--c1); background: var(--panel); border-radius: 0 6px 6px 0; font-size: 13px; }
.dv-check { margin: 10px 16px 0; min-width: 0; }
.dv-written { margin: 0; padding: 8px 16px 14px; font-size: 12px; }
.dv-run { display: flex; flex-direction: column; min-width: 0; }

.dv-main { padding: 10px 16px 0; min-width: 0; }
.dv-tabs { display: none; }
.dv-grid { display: flex; gap: 10px; align-items: flex-start; }
.dv-column { display: flex; flex-direction: column; gap: 10px; flex: 1 1 0; min-width: 0; }
.dv-grid[data-columns="2"] .dv-column:last-child:not(:first-child) { flex: 0 1 40%; }
.dv-grid[data-columns="3"] .dv-column:last-child { flex: 0 1 26%; }
.dv-panel-scene { height: 420px; } .dv-panel-plots { min-height: 320px; } .dv-panel-graph { height: 400px; }
.dv-panel-events { height: 520px; } .dv-panel-values { max-height: 340px; } .dv-panel-modes { max-height: 420px; }
.dv-tools { display: inline-flex; flex-wrap: wrap; gap: 3px; align-items: center; }
.dv-tools select { max-width: 15ch; }
.dv-tools:empty { display: none; }
.dv-empty { margin: auto; padding: 20px; color: var(--muted); text-align: center; max-width: 44ch; }
.dv-searchrow { padding: 8px 10px; } .dv-searchrow input { width: 100%; }
.dv-values { position: relative; overflow: auto; flex: 0 1 auto; min-height: 26px; }
.dv-value { position: absolute; left: 0; right: 0; height: 26px; display: grid; grid-template-columns: minmax(0, 1fr) auto 4.5em; gap: 10px; padding: 3px 12px; font-size: 13px; border-top: 1px solid color-mix(in srgb, var(--line) 55%, transparent); }
.dv-value bdi, .dv-value .dv-muted { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.dv-none { padding: 8px 12px; margin: 0; }

@container dv (min-width: 980px) {
  .dv-panel-scene, .dv-panel-events { height: clamp(340px, 52vh, 640px); }
  .dv-panel-graph { height: clamp(320px, 48vh, 560px); }
  .dv-grid[data-columns="3"] .dv-panel-events { height: clamp(340px, 64vh, 760px); }
}
@container dv (max-width: 700px) {
  .dv-top { padding: 6px 10px; gap: 2px 8px; } .dv-top h1 { font-size: 15px; } .dv-kindtext { display: none; } .dv-status { font-size: 12px; order: 3; flex-basis: 100%; }
  .dv-main { padding: 6px 6px 0; } .dv-check { margin: 6px 6px 0; } .dv-note { margin: 6px 6px 0; }
  .dv-tabs { display: flex; gap: 4px; overflow-x: auto; padding-bottom: 6px; scrollbar-width: none; }
  .dv-tabs [role=tab] { flex: none; border-radius: 999px; padding: 3px 13px; }
  .dv-tabs [role=tab][aria-selected=true], .dv-tabs [role=tab][aria-selected=true]:hover { background: var(--fg) !important; color: var(--panel); border-color: var(--fg); }
  .dv-panel:not(.dv-active) { display: none; }
  .dv-panel > header h2, .dv-grow { display: none !important; }
  .dv-panel > header:not(:has(.dv-tools > *)) { display: none; }
  .dv-panel > header { padding: 4px 6px; } .dv-panel > header .dv-spring { display: none; }
  .dv-grid .dv-panel { height: min(62vh, 560px); min-height: 340px; } .dv-grid .dv-panel-plots, .dv-grid .dv-panel-modes, .dv-grid .dv-panel-values { height: auto; max-height: none; }
}
.dv-panel.dv-grown { height: calc(100vh - 200px); max-height: none; }
.dv-grid:has(.dv-grown) .dv-panel:not(.dv-grown), .dv-grid:has(.dv-grown) .dv-column:not(:has(.dv-grown)) { display: none; }
.dv-grid .dv-column:has(.dv-grown) { flex: 1 1 auto !important; }

.dv-about { margin: 10px 16px 0; background: var(--panel); border: 1px solid var(--line); border-radius: var(--radius); }
.dv-about summary { cursor: pointer; padding: 7px 12px; font-size: 12.5px; font-weight: 650; }
.dv-about[open] summary { border-bottom: 1px solid var(--line); }
.dv-columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(220px, 1fr)); gap: 8px 28px; padding: 10px 14px 14px; }
.dv-columns h3 { font-size: 12px; color: var(--muted); font-weight: 600; margin: 0 0 4px; } .dv-columns p { margin: 0; font-size: 13px; }
.dv-figures { display: grid; grid-template-columns: 1fr auto; gap: 2px 14px; margin: 0; font-size: 13px; } .dv-figures dd { margin: 0; text-align: right; }
.dv-figures dt { overflow-wrap: anywhere; }
.dv-source-tools { float: right; padding: 8px; }
.dv-source-text { overflow: auto; max-height: 60vh; }
.dv-lines { margin: 0; padding: 10px 12px 12px 4.2em; font: 12.5px/1.55 var(--mono); }
.dv-lines li::marker { color: var(--muted); font-size: 11px; } .dv-lines bdi { white-space: pre-wrap; overflow-wrap: anywhere; }
@container dv (max-width: 700px) { .dv-about { margin: 6px 6px 0; } }

.dv-help { max-width: 560px; width: calc(100vw - 24px); border: 1px solid var(--line); border-radius: 12px; background: var(--panel); color: var(--fg); padding: 16px 20px 20px; }
.dv-help::backdrop { background: rgb(0 0 0 / 40%); }
.dv-help header { display: flex; align-items: center; } .dv-help header .dv-spring { flex: 1; }
.dv-help h2 { font-size: 16px; margin: 0; } .dv-help h3 { font-size: 12.5px; color: var(--muted); margin: 14px 0 6px; font-weight: 600; }
.dv-help dl { display: grid; grid-template-columns: minmax(9em, auto) 1fr; gap: 6px 16px; margin: 0; } .dv-help dd { margin: 0; } .dv-help dt { display: flex; gap: 4px; flex-wrap: wrap; }
`;var ym=`
.dv-foot { position: sticky; bottom: 0; z-index: 5; margin-top: 10px; background: var(--panel); border-top: 1px solid var(--line); box-shadow: 0 -2px 10px rgb(10 20 30 / 7%); padding-bottom: env(safe-area-inset-bottom); min-width: 0; }
.dv-transport { display: flex; align-items: center; gap: 6px 18px; padding: 6px 14px 0; flex-wrap: wrap; }
.dv-buttons { display: flex; gap: 2px; align-items: center; }
.dv-buttons button { padding: 3px 8px; } .dv-play { min-width: 44px; border-radius: 999px !important; margin: 0 4px; }
.dv-clock { display: flex; align-items: baseline; gap: 12px; } .dv-clock label { display: flex; gap: 6px; align-items: baseline; }
.dv-time { width: 11.5ch; font-size: 14px !important; padding: 2px 6px !important; min-height: 28px !important; }
.dv-micro { min-width: 9.5ch; white-space: nowrap; }
.dv-settings { display: flex; gap: 4px; margin-left: auto; align-items: center; } .dv-settings select { min-height: 28px; padding: 1px 4px; font-size: 13px; }
.dv-barhost { min-width: 0; overflow: hidden; }
.dv-bar { display: block; width: 100%; touch-action: none; cursor: pointer; }
.dv-bar:focus-visible { outline-offset: -2px; }
.dv-track { fill: var(--line); } .dv-done { fill: var(--accent); opacity: 0.55; }
.dv-head line { stroke: var(--fg); stroke-width: 1.5; } .dv-head circle { fill: var(--panel); stroke: var(--fg); stroke-width: 2; }
.dv-tick line { stroke: var(--muted); } .dv-tick text { fill: var(--muted); font: 11px var(--font); text-anchor: middle; font-variant-numeric: tabular-nums; }
.dv-flag path { fill: var(--mark); stroke: var(--mark); stroke-width: 1.5; }
.dv-mark path, .dv-markicon path { fill: var(--tint); stroke: var(--panel); stroke-width: 1; fill-rule: evenodd; }
.dv-mark .dv-many { fill: var(--tint); opacity: 0.25; }
.dv-count { font: 600 9.5px var(--font); fill: var(--muted); text-anchor: middle; }
.dv-markicon { width: 14px; height: 14px; flex: none; }
.dv-impact { --tint: var(--c3); } .dv-close { --tint: var(--c2); } .dv-open { --tint: var(--c0); } .dv-slip { --tint: var(--c1); }
.dv-zeno { --tint: var(--c4); } .dv-mode { --tint: var(--c5); } .dv-event { --tint: var(--c7); }

.dv-microsteps { height: 46px; overflow-x: auto; overflow-y: hidden; padding: 2px 14px 6px; scrollbar-width: thin; }
.dv-microsteps .dv-hint { font-size: 12.5px; line-height: 34px; }
.dv-microsteps ol { list-style: none; display: flex; align-items: center; margin: 0; padding: 0; width: max-content; height: 36px; }
.dv-microsteps li { display: flex; align-items: center; }
.dv-place { min-height: 30px !important; font-size: 13px !important; padding: 1px 9px !important; max-width: 26ch; overflow: hidden; }
.dv-place bdi { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } .dv-place small { color: var(--muted); font-size: 10.5px; font-variant-numeric: tabular-nums; }
.dv-place[aria-current] { background: var(--accent) !important; border-color: var(--accent) !important; color: var(--accent-fg) !important; font-weight: 650; } .dv-place[aria-current] small { color: inherit; }
.dv-edge { border: 0 !important; background: none !important; min-height: 30px !important; padding: 0 4px !important; font-size: 11px !important; color: var(--muted) !important; flex-direction: column; gap: 0 !important; position: relative; min-width: 34px; line-height: 14px; padding-bottom: 12px !important; }
.dv-edge::after { content: ""; position: absolute; left: 3px; right: 4px; bottom: 9px; height: 0; border-top: 1.5px dashed var(--line); }
.dv-edge::before { content: ""; position: absolute; right: 2px; bottom: 6px; border: 4px solid transparent; border-left: 6px solid var(--line); border-right: 0; }
.dv-edge.dv-taken::after { border-top-style: solid; border-top-color: var(--muted); } .dv-edge.dv-taken::before { border-left-color: var(--muted); }
.dv-edge.dv-just { color: var(--fg) !important; font-weight: 650; } .dv-edge.dv-just::after { border-top: 2.5px solid var(--accent); bottom: 8.5px; } .dv-edge.dv-just::before { border-left-color: var(--accent); }
@container dv (max-width: 700px) {
  .dv-transport { justify-content: center; padding: 5px 6px 0; gap: 2px 10px; } .dv-settings { margin: 0; } .dv-buttons { flex-basis: 100%; justify-content: space-between; } .dv-buttons button { padding: 3px 9px; min-height: 38px; }
  .dv-clock { gap: 6px; } .dv-micro { min-width: 0; font-size: 12px; } .dv-time { width: 9.5ch; font-size: 12.5px !important; }
  .dv-settings select, .dv-settings button { font-size: 12px; padding: 1px 2px; } .dv-at-events { width: 62px; } .dv-speed { width: 56px; } .dv-settings { gap: 2px; }
}

.dv-modes { display: grid; grid-template-columns: minmax(90px, 180px) minmax(0, 1fr); gap: 2px 10px; padding: 8px 12px; overflow-y: auto; align-items: center; }
.dv-mode-name { min-width: 0; display: flex; flex-direction: column; line-height: 1.2; font-size: 12.5px; } .dv-mode-name bdi { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.dv-mode-now { color: var(--muted); font-size: 11.5px; overflow: hidden; }
.dv-lane { min-width: 0; overflow: hidden; } .dv-lane svg { display: block; }
.dv-stretch rect { fill: color-mix(in srgb, var(--tint) 30%, var(--panel)); stroke: var(--tint); } .dv-stretch text { font: 11.5px var(--font); fill: var(--fg); pointer-events: none; }
.dv-mode-0 { --tint: var(--c0); } .dv-mode-1 { --tint: var(--c1); } .dv-mode-2 { --tint: var(--c2); } .dv-mode-3 { --tint: var(--c4); } .dv-mode-4 { --tint: var(--c3); } .dv-mode-5 { --tint: var(--c6); } .dv-mode-6 { --tint: var(--c7); }
.dv-many-modes rect { fill: var(--muted); stroke: none; opacity: 0.6; }
.dv-modes-head { stroke: var(--fg); stroke-width: 1.5; pointer-events: none; }
.dv-modes-axis text { font: 11px var(--font); fill: var(--muted); text-anchor: middle; }
`;var nM=`
  color-scheme: light;
  --bg: #f5f6f8; --panel: #ffffff; --raised: #f0f2f5; --fg: #1b2026; --muted: #5b6672; --line: #d7dce2;
  --accent: #0072b2; --accent-fg: #ffffff; --accent-soft: #e1f0f9; --focus: #0072b2;
  --safe: #00805d; --unsafe: #c44e00; --undecided: #7a7f87;
  --impulse: #c44e00; --force: #00805d; --mark: #a3487c;
  --c0: #0072b2; --c1: #d98e00; --c2: #009e73; --c3: #d55e00; --c4: #b8578f; --c5: #3e9fd8; --c6: #8a7f00; --c7: #4d5663;
  --shade: 0 1px 2px rgb(20 30 40 / 6%), 0 1px 6px rgb(20 30 40 / 4%);`,_m=`
  color-scheme: dark;
  --bg: #0e1216; --panel: #161b21; --raised: #1f262e; --fg: #e4e9ee; --muted: #9aa7b4; --line: #2d3640;
  --accent: #56b4e9; --accent-fg: #06202f; --accent-soft: #13303f; --focus: #7cc7f2;
  --safe: #35c49a; --unsafe: #f08c48; --undecided: #98a1ab;
  --impulse: #f08c48; --force: #35c49a; --mark: #dd97bd;
  --c0: #56b4e9; --c1: #e69f00; --c2: #35c49a; --c3: #f08c48; --c4: #dd97bd; --c5: #8fd0f5; --c6: #f0e442; --c7: #b3bdc7;
  --shade: 0 1px 2px rgb(0 0 0 / 40%);`,bm=`
:root {${nM}
  --font: system-ui, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace;
  --radius: 8px;
}
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) {${_m}} }
:root[data-theme=dark] {${_m}}
`;var Mm=!1;function Sm(){if(Mm)return;Mm=!0;let i=new CSSStyleSheet;i.replaceSync([bm,mm,vm,xm,ym,gm,fd].join(`
`)),document.adoptedStyleSheets=[...document.adoptedStyleSheets,i]}var du=null;function wm(i,t,e={}){Sm(),hd();let{page:n}=t,s=new ue,r=new bo,o=C("main",{class:"dv-page"}),a=C("div",{class:"dv-runhost"}),l=null,c=(d,f)=>{let g=n.runs[d];if(g!==void 0){if(l?.run!==d){let y=l?.view.look??(du?.system===n.system?du.look:null);l?.view.destroy(),l={run:d,view:new uc(a,i,t,g,y)}}f!==void 0&&(l.view.player.pause(),l.view.cursor.setTime(f)),h.show(d)}},h=new _o(n,d=>c(d),()=>r.toggle());i.classList.add("dv"),i.append(h.element,o,r.element);for(let d of n.notes)o.append(C("p",{class:"dv-note"},Xt(d)));if(n.check!==null){let d=C("section",{class:"dv-check","aria-label":"Check"});o.append(d);let f=new xo(d,n.check,{openRun:(g,y)=>{c(g,y),a.scrollIntoView({block:"start"})},source:t});s.add(()=>f.destroy())}o.append(a);let u=e.source===!1?null:ad(n);return u!==null&&o.append(u),o.append(C("p",{class:"dv-written dv-muted"},`dyverse ${n.version}`)),c(Math.min(Math.max(0,e.run??0),Math.max(0,n.runs.length-1)),e.time),n.runs.length===0&&h.show(0),ud(i,()=>l?.view.player??null,()=>r.toggle(),s),{now:()=>({run:l?.run??0,time:l?.view.cursor.moment.t??0}),destroy(){s.run(),l!==null&&(du={system:n.system,look:l.view.look}),l?.view.destroy(),l=null,i.classList.remove("dv");for(let d of[h.element,o,r.element])d.remove()}}}async function iM(){let i=document.getElementById("page"),t=i?.textContent;if(t==null)throw new Error("the document is missing");let e=i?.getAttribute("type")==="text/plain",n=JSON.parse(e?await wu(t):t);if(n.format!=="dyverse-page-1")throw new Error(`the format ${String(n.format)} is not known here`);return{page:n,blob(s){let r=document.getElementById(`blob-${s}`)?.textContent;if(r==null)throw new Error(`blob ${s} is missing`);return r}}}async function Tm(){let i=document.getElementById("root")??document.body.appendChild(C("div",{id:"root"}));try{wm(i,await iM())}catch(t){throw i.append(C("p",{role:"alert"},`This page cannot be shown: ${t instanceof Error?t.message:String(t)}`)),t}}document.readyState==="loading"?document.addEventListener("DOMContentLoaded",()=>{Tm()},{once:!0}):Tm();})();
